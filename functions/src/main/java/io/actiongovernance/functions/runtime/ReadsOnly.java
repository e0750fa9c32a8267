package io.actiongovernance.functions.runtime;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Lets the reads of a client of AWS pass, and answers everything else itself, as if it had been
 * done: what a client over this is asked to write, send or start is made into a request, signed,
 * and goes nowhere. Each read has a connection of its own, which is closed after it. Thread-safe.
 */
final class ReadsOnly implements SdkHttpClient {
  /** Names the operation of services that speak JSON. */
  private static final String TARGET = "X-Amz-Target";

  private static final Set<String> READS =
      Set.of(
          "DynamoDB_20120810.GetItem", "DynamoDB_20120810.BatchGetItem", "DynamoDB_20120810.Query");

  private final SdkHttpClient http;

  /**
   * @param http through which the reads pass
   */
  ReadsOnly(SdkHttpClient http) {
    this.http = http;
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    Optional<String> operation = request.httpRequest().firstMatchingHeader(TARGET);
    return operation.filter(READS::contains).isPresent()
        ? http.prepareRequest(onItsOwnConnection(request))
        : new Answered();
  }

  private static HttpExecuteRequest onItsOwnConnection(HttpExecuteRequest request) {
    SdkHttpRequest closing =
        request.httpRequest().toBuilder().putHeader("Connection", "close").build();
    HttpExecuteRequest.Builder own =
        HttpExecuteRequest.builder().request(closing).metricCollector(null);
    request.contentStreamProvider().ifPresent(own::contentStreamProvider);
    return own.build();
  }

  /** A request that was not made, and succeeded. */
  private static final class Answered implements ExecutableHttpRequest {
    @Override
    public HttpExecuteResponse call() {
      byte[] nothing = "{}".getBytes(StandardCharsets.UTF_8);
      return HttpExecuteResponse.builder()
          .response(
              SdkHttpFullResponse.builder()
                  .statusCode(200)
                  .putHeader("Content-Type", "application/x-amz-json-1.0")
                  .putHeader("Content-Length", Integer.toString(nothing.length))
                  .build())
          .responseBody(AbortableInputStream.create(new ByteArrayInputStream(nothing)))
          .build();
    }

    @Override
    public void abort() {
      // There is nothing under way.
    }
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
