package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Guards the services of the account on this machine, which create tenants and read every table. It
 * admits requests that name the access key of this run, which only the owner of the data folder can
 * read. The signature itself is not checked: nobody eavesdrops on the loopback address, and an
 * access key that cannot be guessed proves as much.
 *
 * <p>Requests of web pages are refused even if they name that key ({@link WebPages}).
 */
public final class OwnersOnly extends Handler.Wrapper {
  private static final Pattern CREDENTIAL = Pattern.compile("\\bCredential=([^/,\\s]+)/");

  private final Set<String> hosts;
  private final byte[] accessKey;

  /**
   * @param port the port at which these services are reached
   * @param accessKey the access key of this run
   */
  public OwnersOnly(Handler services, int port, String accessKey) {
    super(services);
    this.hosts = WebPages.hosts(port);
    this.accessKey = accessKey.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (WebPages.maySend(
        request.getHeaders().contains(HttpHeader.ORIGIN),
        request.getHeaders().getValuesList(HttpHeader.HOST),
        hosts)) {
      return refuse(
          response, callback, "AccessDeniedException", "Web pages may not send requests here.");
    }
    if (!isOwner(request)) {
      return refuse(
          response,
          callback,
          "UnrecognizedClientException",
          "Sign requests with the access key in credentials.json.");
    }
    return super.handle(request, response, callback);
  }

  private boolean isOwner(Request request) {
    String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    Matcher credential = CREDENTIAL.matcher(authorization == null ? "" : authorization);
    return credential.find()
        && MessageDigest.isEqual(accessKey, credential.group(1).getBytes(StandardCharsets.UTF_8));
  }

  private static boolean refuse(Response response, Callback callback, String code, String message) {
    ObjectNode body = Json.object().put("__type", code).put("message", message);
    response.setStatus(403);
    response.getHeaders().put("Content-Type", "application/x-amz-json-1.0");
    response.getHeaders().put("x-amzn-ErrorType", code);
    response.write(
        true, ByteBuffer.wrap(Json.write(body).getBytes(StandardCharsets.UTF_8)), callback);
    return true;
  }
}
