package io.actiongovernance.functions.aws;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.regions.Region;

/**
 * What is beneath the very clients of a deployed function: it answers each attempt as it is told
 * to, and the rest as the last of them. Not thread-safe.
 */
final class Wire implements SdkHttpClient {
  private final Deque<Attempt> attempts;
  private int made;

  Wire(Attempt... attempts) {
    this.attempts = new ArrayDeque<>(Arrays.asList(attempts));
  }

  /** What becomes of one attempt. */
  sealed interface Attempt {
    /** There is no answer. */
    record Lost() implements Attempt {}

    record Answered(int status, String body) implements Attempt {}

    Attempt LOST = new Lost();

    static Attempt error(int status, String code) {
      return new Answered(status, "{\"__type\":\"com.amazonaws.dynamodb#" + code + "\"}");
    }
  }

  /** How many attempts there were. */
  int made() {
    return made;
  }

  /** The clients of a deployed function over this. */
  Clients clients() {
    AwsClients.Maker maker =
        new AwsClients.Maker(
            TimeLimits.ofRequests(),
            this,
            builder ->
                builder
                    .region(Region.US_EAST_1)
                    .credentialsProvider(
                        StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b"))));
    return AwsClients.by(maker, maker);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        made++;
        Attempt attempt = attempts.size() > 1 ? attempts.remove() : attempts.element();
        return switch (attempt) {
          case Attempt.Lost() -> throw new IOException("Lost, on purpose.");
          case Attempt.Answered(int status, String body) ->
              HttpExecuteResponse.builder()
                  .response(SdkHttpResponse.builder().statusCode(status).build())
                  .responseBody(
                      AbortableInputStream.create(
                          new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))
                  .build();
        };
      }

      @Override
      public void abort() {}
    };
  }

  @Override
  public void close() {}
}
