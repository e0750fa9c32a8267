package io.actiongovernance.localstack.tenant;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/**
 * The function that makes tenants, wherever it is deployed.
 *
 * @param endpoint where Lambda is
 * @param name of the function, with its alias where it has one: {@code create-tenant:live}
 * @param credentials what requests are signed with
 */
public record TenantFunction(URI endpoint, String name, AwsCredentialsProvider credentials) {
  /** The first call starts a process, on LocalStack a container. */
  private static final Duration LONGEST_CALL = Duration.ofMinutes(2);

  /** One where nobody looks at credentials. */
  public TenantFunction(URI endpoint, String name) {
    this(endpoint, name, Aws.LOCAL);
  }

  /** That the function refused. */
  public static final class Refused extends Exception {
    Refused(String message) {
      super(message);
    }
  }

  /** Makes a tenant with its first two keys. */
  public NewTenant.Created make(NewTenant tenant) throws Refused {
    // A call that came twice would make two.
    try (LambdaClient lambda =
        Aws.client(
            LambdaClient.builder()
                .overrideConfiguration(override -> override.retryStrategy(r -> r.maxAttempts(1))),
            endpoint,
            credentials,
            LONGEST_CALL)) {
      InvokeResponse answer =
          lambda.invoke(
              invoke ->
                  invoke.functionName(name).payload(SdkBytes.fromUtf8String(Json.write(tenant))));
      String body = answer.payload().asUtf8String();
      if (answer.functionError() != null) {
        JsonNode failure = Json.read(body);
        throw new Refused(failure.path("errorMessage").asText("The tenant could not be made."));
      }
      return Json.read(body, NewTenant.Created.class);
    }
  }
}
