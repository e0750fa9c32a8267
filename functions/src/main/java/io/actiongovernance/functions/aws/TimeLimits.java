package io.actiongovernance.functions.aws;

import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.retries.api.RetryStrategy;

/**
 * Time limits of requests to AWS services. All of these limits are defined here.
 *
 * <p>The attempts at an unanswered request, and the pauses between them, fit into {@code whole}.
 * That limit exists for responses that arrive a byte at a time.
 *
 * @param connection limit for an attempt to get its connection
 * @param silence limit for an attempt to wait for the first or the next byte of a response
 * @param whole limit for all attempts and pauses of one request together
 */
record TimeLimits(Duration connection, Duration silence, Duration whole) {
  /** The most attempts at a request that gets no response. */
  static final int ATTEMPTS = 3;

  private static final Duration CONNECTION = Duration.ofSeconds(2);

  private static final TimeLimits REQUESTS =
      new TimeLimits(CONNECTION, Duration.ofSeconds(2), Duration.ofSeconds(10));

  /**
   * The limits for files. A part of a file is 8 MB; S3 keeps sending bytes while it assembles a
   * file of many parts.
   */
  private static final TimeLimits OBJECTS =
      new TimeLimits(CONNECTION, Duration.ofSeconds(10), Duration.ofSeconds(60));

  /**
   * The limits for an emulator of all services on one machine. It handles requests one after
   * another, so it is slow but not unavailable.
   */
  private static final TimeLimits EMULATED =
      new TimeLimits(CONNECTION, Duration.ofSeconds(30), Duration.ofSeconds(100));

  /** The limits for tables, queues, bus, timers and secrets, which respond within milliseconds. */
  static TimeLimits ofRequests() {
    return emulated() ? EMULATED : REQUESTS;
  }

  static TimeLimits ofObjects() {
    return emulated() ? EMULATED : OBJECTS;
  }

  private static boolean emulated() {
    return System.getenv("AWS_ENDPOINT_URL") != null;
  }

  /** An HTTP client that enforces the limits for a single attempt. */
  SdkHttpClient http() {
    return UrlConnectionHttpClient.builder()
        .connectionTimeout(connection)
        .socketTimeout(silence)
        .build();
  }

  /** Configures a client to enforce the limit for all attempts together. */
  Consumer<ClientOverrideConfiguration.Builder> override(RetryStrategy retries) {
    return override -> override.apiCallTimeout(whole).retryStrategy(retries);
  }
}
