package io.actiongovernance.localstack.aws;

import io.actiongovernance.json.Json;
import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/**
 * A function, wherever it is deployed. Immutable.
 *
 * @param endpoint the address of Lambda
 * @param name the name of the function or its ARN, with its alias if it has one, such as {@code
 *     create-tenant:live}
 * @param credentials the credentials that sign requests
 */
public record RemoteFunction(URI endpoint, String name, AwsCredentialsProvider credentials) {
  /** The longest call. The first call starts a process, or a container on LocalStack. */
  private static final Duration LONGEST_CALL = Duration.ofMinutes(2);

  /** Creates a function at an endpoint that does not check credentials. */
  public RemoteFunction(URI endpoint, String name) {
    this(endpoint, name, Aws.LOCAL);
  }

  /** Thrown if the function itself fails, with its error. */
  public static final class Failed extends Exception {
    Failed(String message) {
      super(message);
    }
  }

  /**
   * Invokes the function once, even if the call fails, because a repeated call might take effect
   * twice.
   *
   * @return its answer, as JSON
   */
  public String invoke(String event) throws Failed {
    try (LambdaClient lambda =
        Aws.client(
            LambdaClient.builder()
                .overrideConfiguration(override -> override.retryStrategy(r -> r.maxAttempts(1))),
            endpoint,
            credentials,
            LONGEST_CALL)) {
      InvokeResponse answer =
          lambda.invoke(
              invoke -> invoke.functionName(name).payload(SdkBytes.fromUtf8String(event)));
      String body = answer.payload().asUtf8String();
      if (answer.functionError() != null) {
        throw new Failed(Json.read(body).path("errorMessage").asText(body));
      }
      return body;
    }
  }
}
