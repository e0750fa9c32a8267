package io.actiongovernance.functions.runtime;

import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.functions.route.StreamFunction;
import io.actiongovernance.json.Json;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.Timeout;

/**
 * A client of the Lambda Runtime API (version 2018-06-01), which a function's process uses for one
 * invocation at a time. Only one thread may use it.
 */
final class RuntimeApi implements Closeable {
  static final String REQUEST_ID = "Lambda-Runtime-Aws-Request-Id";
  static final String RESPONSE_MODE = "Lambda-Runtime-Function-Response-Mode";
  static final String ERROR_TYPE = "Lambda-Runtime-Function-Error-Type";
  static final String ERROR_BODY = "Lambda-Runtime-Function-Error-Body";

  private final String base;
  private final CloseableHttpClient client;

  /**
   * Creates the client of this function.
   *
   * @param address host and port, as in {@code AWS_LAMBDA_RUNTIME_API}
   */
  RuntimeApi(String address) {
    this.base = "http://" + address + "/2018-06-01/runtime";
    this.client =
        HttpClients.custom()
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableContentCompression()
            .setConnectionManager(
                PoolingHttpClientConnectionManagerBuilder.create()
                    .setDefaultConnectionConfig(
                        ConnectionConfig.custom()
                            .setConnectTimeout(Timeout.ofSeconds(5))
                            .setSocketTimeout(Timeout.DISABLED)
                            .build())
                    .build())
            // The next invocation may be hours away.
            .setDefaultRequestConfig(
                RequestConfig.custom().setResponseTimeout(Timeout.DISABLED).build())
            .build();
  }

  @SuppressWarnings("ArrayRecordComponent") // The bytes are read once and never changed.
  record Invocation(String requestId, byte[] event) {}

  /** Waits for the next invocation. */
  Invocation next() throws IOException {
    return client.execute(
        new HttpGet(base + "/invocation/next"),
        response -> {
          byte[] event = EntityUtils.toByteArray(response.getEntity());
          Header id = response.getFirstHeader(REQUEST_ID);
          if (response.getCode() != 200 || id == null) {
            throw new IOException("The next invocation came with " + response.getCode());
          }
          return new Invocation(id.getValue(), event);
        });
  }

  /**
   * Waits, before the first invocation, until the process has been stored as a snapshot. It returns
   * in each process that is restored from the snapshot.
   */
  void awaitRestore() throws IOException {
    send(new HttpGet(base + "/restore/next"));
  }

  /** Streams the answer of an invocation, chunk by chunk as it arrives. */
  void respond(String requestId, StreamBody answer) throws IOException {
    HttpPost post = new HttpPost(base + "/invocation/" + requestId + "/response");
    post.setHeader(RESPONSE_MODE, "streaming");
    post.setEntity(new StreamedEntity(StreamFunction.MEDIA_TYPE, answer));
    send(post);
  }

  /** Reports that an invocation failed before it had an answer. */
  void failed(String requestId, Throwable cause) throws IOException {
    report("/invocation/" + requestId + "/error", cause);
  }

  /** Reports that the function could not be created. */
  void initFailed(Throwable cause) throws IOException {
    report("/init/error", cause);
  }

  /** Reports that the function could not continue after it was restored. */
  void restoreFailed(Throwable cause) throws IOException {
    report("/restore/error", cause);
  }

  private void report(String path, Throwable cause) throws IOException {
    HttpPost post = new HttpPost(base + path);
    post.setHeader(ERROR_TYPE, errorType(cause));
    post.setEntity(new StringEntity(error(cause), ContentType.APPLICATION_JSON));
    send(post);
  }

  static String errorType(Throwable cause) {
    return "Runtime." + cause.getClass().getSimpleName();
  }

  /** An error in the Runtime API's format. Its names are not in the usual snake_case. */
  static String error(Throwable cause) {
    List<String> trace = Arrays.stream(cause.getStackTrace()).map(String::valueOf).toList();
    return Json.write(
        Map.of(
            "errorType", errorType(cause),
            "errorMessage", String.valueOf(cause.getMessage()),
            "stackTrace", trace));
  }

  private void send(ClassicHttpRequest request) throws IOException {
    client.execute(request, RuntimeApi::accepted);
  }

  private static Void accepted(ClassicHttpResponse response) throws HttpException, IOException {
    String body = response.getEntity() == null ? "" : EntityUtils.toString(response.getEntity());
    if (response.getCode() / 100 != 2) {
      throw new IOException("The Runtime API answered " + response.getCode() + ": " + body);
    }
    return null;
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
