package io.actiongovernance.functions.aws;

import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.retries.api.RetryStrategy;

/**
 * How long a service of AWS may keep whoever asks it. All of these numbers are here.
 *
 * <p>The attempts at a request of which none is answered, and the pauses between them, fit into
 * {@code whole}: that is there for answers that come a byte at a time.
 *
 * @param connection how long an attempt waits for its connection
 * @param silence how long an attempt waits for the first byte of an answer, or for the next one
 * @param whole how long all attempts and pauses of one request take together
 */
record TimeLimits(Duration connection, Duration silence, Duration whole) {
  /** How often a request is sent that is not answered. */
  static final int ATTEMPTS = 3;

  private static final Duration CONNECTION = Duration.ofSeconds(2);

  private static final TimeLimits REQUESTS =
      new TimeLimits(CONNECTION, Duration.ofSeconds(2), Duration.ofSeconds(10));

  /**
   * A part of a file is 8 MB; and a file of many parts is put together while S3 shows that it is
   * still at it.
   */
  private static final TimeLimits OBJECTS =
      new TimeLimits(CONNECTION, Duration.ofSeconds(10), Duration.ofSeconds(60));

  /** One machine that is everything does one thing after the other, and is slow, not away. */
  private static final TimeLimits EMULATED =
      new TimeLimits(CONNECTION, Duration.ofSeconds(30), Duration.ofSeconds(100));

  /** Those of tables, queues, bus, timers and secrets, which answer within milliseconds. */
  static TimeLimits ofRequests() {
    return emulated() ? EMULATED : REQUESTS;
  }

  /** Those of the objects of a bucket. */
  static TimeLimits ofObjects() {
    return emulated() ? EMULATED : OBJECTS;
  }

  private static boolean emulated() {
    return System.getenv("AWS_ENDPOINT_URL") != null;
  }

  /** An HTTP client that keeps to what an attempt may take. */
  SdkHttpClient http() {
    return UrlConnectionHttpClient.builder()
        .connectionTimeout(connection)
        .socketTimeout(silence)
        .build();
  }

  /** Configures a client so that it keeps to what all attempts may take. */
  Consumer<ClientOverrideConfiguration.Builder> override(RetryStrategy retries) {
    return override -> override.apiCallTimeout(whole).retryStrategy(retries);
  }
}
