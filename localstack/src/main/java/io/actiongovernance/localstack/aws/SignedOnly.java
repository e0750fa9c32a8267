package io.actiongovernance.localstack.aws;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.gaul.shaded.org.eclipse.jetty.http.HttpHeader;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/**
 * Guards the object store, which answers unsigned requests if the permissions of its files allow
 * it. It refuses all unsigned requests, and those that a web page may have sent ({@link WebPages}).
 * The store itself checks signatures. This is a handler of the Jetty that S3Proxy includes under
 * its own package name.
 */
final class SignedOnly extends Handler.Wrapper {
  private static final String SIGNED_BY_QUERY = "X-Amz-Algorithm";

  private final Set<String> hosts;

  /**
   * @param port the port at which the store is reached
   */
  SignedOnly(Handler store, int port) {
    super(store);
    this.hosts = WebPages.hosts(port);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    return isSigned(request) && !isOfPage(request)
        ? super.handle(request, response, callback)
        : refuse(response, callback);
  }

  private boolean isOfPage(Request request) {
    return WebPages.maySend(
        request.getHeaders().contains(HttpHeader.ORIGIN),
        request.getHeaders().getValuesList(HttpHeader.HOST),
        hosts);
  }

  private static boolean isSigned(Request request) {
    return request.getHeaders().contains(HttpHeader.AUTHORIZATION)
        || Request.extractQueryParameters(request).getValue(SIGNED_BY_QUERY) != null;
  }

  private static boolean refuse(Response response, Callback callback) {
    String body =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            + "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>";
    response.setStatus(403);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/xml");
    response.write(true, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), callback);
    return true;
  }
}
