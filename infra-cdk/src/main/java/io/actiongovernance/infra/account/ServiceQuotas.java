package io.actiongovernance.infra.account;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/**
 * Service Quotas in a region. Only two of its calls are needed. They are signed here, so that no
 * other client of the SDK has to be added.
 *
 * @param endpoint the service's address, without a path
 */
public record ServiceQuotas(
    SdkHttpClient http, AwsCredentialsProvider credentials, String region, URI endpoint) {
  private static final String TARGET = "ServiceQuotasV20190624.";

  /**
   * The operations that list the account's own quotas, and the quotas that every account begins
   * with.
   */
  private static final String APPLIED = "ListServiceQuotas";

  private static final String DEFAULTS = "ListAWSDefaultServiceQuotas";

  /**
   * @param code identifies the quota in requests for an increase
   * @param value the value for the account
   */
  public record Quota(String service, String code, double value) {}

  /** The code of the service with this common name, such as {@code apigateway}. */
  static String code(String service) {
    return service.toLowerCase(Locale.ROOT).replace(" ", "");
  }

  Optional<Quota> named(String service, String name) {
    return Stream.of(APPLIED, DEFAULTS)
        .map(operation -> find(operation, service, name))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private Optional<Quota> find(String operation, String service, String name) {
    String next = "";
    do {
      ObjectNode asked = Json.object().put("ServiceCode", service).put("MaxResults", 100);
      if (!next.isEmpty()) {
        asked.put("NextToken", next);
      }
      JsonNode page = ask(operation, asked);
      for (JsonNode quota : page.path("Quotas")) {
        if (name.equals(quota.path("QuotaName").textValue())) {
          return Optional.of(
              new Quota(service, quota.path("QuotaCode").asText(), quota.path("Value").asDouble()));
        }
      }
      next = page.path("NextToken").asText();
    } while (!next.isEmpty());
    return Optional.empty();
  }

  /**
   * The answer; an empty object if the call is refused, as happens without the right to make it.
   */
  private JsonNode ask(String operation, ObjectNode asked) {
    ContentStreamProvider body = ContentStreamProvider.fromUtf8String(Json.write(asked));
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(URI.create(endpoint + "/"))
            .putHeader("Content-Type", "application/x-amz-json-1.1")
            .putHeader("X-Amz-Target", TARGET + operation)
            .build();
    SignedRequest signed =
        AwsV4HttpSigner.create()
            .sign(
                sign ->
                    sign.identity(credentials.resolveCredentials())
                        .request(request)
                        .payload(body)
                        .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "servicequotas")
                        .putProperty(AwsV4HttpSigner.REGION_NAME, region));
    try {
      HttpExecuteResponse answer =
          http.prepareRequest(
                  HttpExecuteRequest.builder()
                      .request(signed.request())
                      .contentStreamProvider(body)
                      .build())
              .call();
      if (!answer.httpResponse().isSuccessful()) {
        return Json.object();
      }
      try (var stream = Objects.requireNonNull(answer.responseBody().orElse(null))) {
        return Json.read(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
