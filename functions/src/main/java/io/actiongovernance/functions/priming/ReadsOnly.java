package io.actiongovernance.functions.priming;

import java.util.Optional;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Permits only reads of single items of the tables. Each read uses its own connection, which is
 * closed afterwards. Thread-safe.
 */
final class ReadsOnly implements SdkHttpClient {
  private static final String READ = "DynamoDB_20120810.GetItem";

  private final SdkHttpClient http;

  /**
   * @param http the client that executes the reads
   */
  ReadsOnly(SdkHttpClient http) {
    this.http = http;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    if (!request.httpRequest().firstMatchingHeader(AnsweredAws.TARGET).equals(Optional.of(READ))) {
      throw new IllegalStateException("Priming only reads.");
    }
    return http.prepareRequest(onItsOwnConnection(request));
  }

  private static HttpExecuteRequest onItsOwnConnection(HttpExecuteRequest request) {
    SdkHttpRequest closing =
        request.httpRequest().toBuilder().putHeader("Connection", "close").build();
    HttpExecuteRequest.Builder own =
        HttpExecuteRequest.builder().request(closing).metricCollector(null);
    request.contentStreamProvider().ifPresent(own::contentStreamProvider);
    return own.build();
  }

  @Override
  public String clientName() {
    return http.clientName();
  }

  @Override
  public void close() {
    http.close();
  }
}
