package io.actiongovernance.localstack.emulator;

import io.actiongovernance.json.Json;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds functions to their roles: each has an access key of its own, by which its requests are
 * known. Signatures are not checked, and every other key may do anything. Thread-safe.
 */
final class Guard extends Handler.Wrapper {
  private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
  private static final Pattern KEY =
      Pattern.compile("(?:Credential=|X-Amz-Credential=)([A-Za-z0-9]+)");

  private final Rights rights;
  private final Map<String, String> roles = new ConcurrentHashMap<>();

  Guard(Rights rights) {
    this.rights = rights;
  }

  /** What all requests go to that are permitted. */
  Guard before(Handler guarded) {
    setHandler(guarded);
    return this;
  }

  /** Access key of the role. */
  String keyFor(String roleArn) {
    String key = "ROLE" + roles.size() + "K";
    roles.put(key, roleArn);
    return key;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    @Nullable String role = role(request);
    if (role == null) {
      return super.handle(request, response, callback);
    }
    byte[] body = Content.Source.asInputStream(request).readAllBytes();
    try {
      new Calls(role).of(request, body).forEach(rights::require);
    } catch (Refused e) {
      LOG.error("Refused: {}", e.getMessage());
      response.setStatus(403);
      response.getHeaders().put("Content-Type", "application/x-amz-json-1.1");
      String denied =
          Json.write(
              Json.object().put("__type", "AccessDeniedException").put("message", e.getMessage()));
      response.write(true, ByteBuffer.wrap(denied.getBytes(StandardCharsets.UTF_8)), callback);
      return true;
    }
    return super.handle(again(request, body), response, callback);
  }

  private @Nullable String role(Request request) {
    String said = request.getHeaders().get("Authorization") + " " + request.getHttpURI().getQuery();
    Matcher key = KEY.matcher(said);
    return key.find() ? roles.get(key.group(1)) : null;
  }

  /** The request with a body that was read already. */
  private static Request again(Request request, byte[] body) {
    Content.Source source = Content.Source.from(new ByteArrayInputStream(body));
    return new Request.Wrapper(request) {
      @Override
      public Content.Chunk read() {
        return source.read();
      }

      @Override
      public void demand(Runnable demanded) {
        source.demand(demanded);
      }
    };
  }
}
