package io.actiongovernance.functions.model;

import io.actiongovernance.functions.egress.Outbound;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/**
 * Requests to Bedrock's Converse, signed by the SDK's own signer with the function's credentials.
 * The SDK's Bedrock client is not used. It would add its event streams to every function, and it
 * would parse answers into its own types, although audit keeps each answer as received. Region and
 * credentials are looked up when a model is first asked. Thread-safe.
 */
final class BedrockRequests {
  private static final String JSON = "application/json";

  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final Supplier<String> region;
  private final AwsCredentialsProvider credentials;
  private final Supplier<URI> endpoint;
  private final Clock clock;

  /**
   * @param endpoint Bedrock's address, without a path
   */
  BedrockRequests(
      Supplier<String> region,
      AwsCredentialsProvider credentials,
      Supplier<URI> endpoint,
      InstantSource clock) {
    this.region = region;
    this.credentials = credentials;
    this.endpoint = endpoint;
    this.clock = clock.withZone(ZoneOffset.UTC);
  }

  /** Makes requests with the region and the credentials of the process. */
  static BedrockRequests ofEnvironment(InstantSource clock) {
    DefaultAwsRegionProviderChain regions = DefaultAwsRegionProviderChain.builder().build();
    Supplier<String> region = () -> regions.getRegion().id();
    return new BedrockRequests(
        region,
        DefaultCredentialsProvider.builder().build(),
        () -> URI.create("https://bedrock-runtime." + region.get() + ".amazonaws.com"),
        clock);
  }

  /**
   * A signed request to the model.
   *
   * @throws software.amazon.awssdk.core.exception.SdkClientException if there is no region, or
   *     there are no credentials
   */
  Outbound converse(String modelId, String body) {
    URI url =
        URI.create(
            endpoint.get()
                + "/model/"
                + URLEncoder.encode(modelId, StandardCharsets.UTF_8)
                + "/converse");
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.POST)
            .uri(url)
            .putHeader("Content-Type", JSON)
            .putHeader("Accept", "application/json")
            .build();
    SignedRequest signed =
        signer.sign(
            sign ->
                sign.identity(credentials.resolveCredentials())
                    .request(request)
                    .payload(ContentStreamProvider.fromUtf8String(body))
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "bedrock")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region.get())
                    .putProperty(HttpSigner.SIGNING_CLOCK, clock));
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    signed.request().headers().forEach((name, values) -> headers.put(name, values.getFirst()));
    // The client sets its own Host header.
    headers.remove("Host");
    return new Outbound("POST", url, headers, body);
  }
}
