package io.actiongovernance.localstack.aws;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Forwards requests to another server unchanged. */
public final class ForwardingFront extends Handler.Abstract {
  /** Headers that belong to the connection, which the client sets itself. */
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "transfer-encoding",
          "upgrade",
          "te",
          "keep-alive");

  private final URI server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  public ForwardingFront(URI server) {
    this.server = server;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    HttpRequest.Builder onward =
        HttpRequest.newBuilder(server.resolve(request.getHttpURI().getPathQuery()))
            .method(request.getMethod(), body(request));
    for (HttpField field : request.getHeaders()) {
      if (!HOP_BY_HOP.contains(field.getLowerCaseName())) {
        onward.header(field.getName(), field.getValue());
      }
    }
    HttpResponse<byte[]> answer = client.send(onward.build(), BodyHandlers.ofByteArray());
    response.setStatus(answer.statusCode());
    answer
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT))) {
                response.getHeaders().put(name, values);
              }
            });
    response.write(true, ByteBuffer.wrap(answer.body()), callback);
    return true;
  }

  /**
   * Returns the body, with its length if the request states one, because some servers need the
   * length.
   */
  private static BodyPublisher body(Request request) {
    long length = request.getLength();
    if (length == 0) {
      return BodyPublishers.noBody();
    }
    BodyPublisher body = BodyPublishers.ofInputStream(() -> Content.Source.asInputStream(request));
    return length < 0 ? body : BodyPublishers.fromPublisher(body, length);
  }

  @Override
  protected void doStop() throws Exception {
    client.shutdownNow();
    super.doStop();
  }
}
