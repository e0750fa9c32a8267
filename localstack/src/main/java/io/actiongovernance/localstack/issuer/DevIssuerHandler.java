package io.actiongovernance.localstack.issuer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.functions.route.PlainPage;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.UrlEncoded;

/** Answers requests below {@link DevIssuer#PATH} over HTTP, and no others. Thread-safe. */
public final class DevIssuerHandler extends Handler.Abstract {
  private static final int LARGEST_FORM = 16 * 1024;

  private final DevIssuer issuer;

  public DevIssuerHandler(DevIssuer issuer) {
    this.issuer = issuer;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws IOException {
    String path = request.getHttpURI().getPath();
    if (!path.startsWith(DevIssuer.PATH + "/")) {
      return false;
    }
    String asked = request.getMethod() + " " + path.substring(DevIssuer.PATH.length());
    DevIssuer.Answer answer =
        switch (asked) {
          case "GET /.well-known/openid-configuration" -> issuer.metadata();
          case "GET /jwks" -> issuer.keys();
          case "GET /authorize" -> issuer.authorize(map(Request.extractQueryParameters(request)));
          case "POST /token" ->
              issuer.token(request.getHeaders().get("Authorization"), form(request));
          default -> new DevIssuer.Answer.Document(404, Json.object().put("error", "not_found"));
        };
    return write(answer, response, callback);
  }

  private static Map<String, String> form(Request request) throws IOException {
    byte[] body = Content.Source.asInputStream(request).readNBytes(LARGEST_FORM);
    Fields fields = new Fields();
    UrlEncoded.decodeUtf8To(new String(body, UTF_8), fields);
    return map(fields);
  }

  /** Returns the fields that are given once; repeated fields are ignored. */
  private static Map<String, String> map(Fields fields) {
    Map<String, String> map = new HashMap<>();
    for (Fields.Field field : fields) {
      if (field.getValues().size() == 1) {
        map.put(field.getName(), field.getValue());
      }
    }
    return map;
  }

  private static boolean write(DevIssuer.Answer answer, Response response, Callback callback) {
    response.getHeaders().put("Cache-Control", "no-store");
    String body =
        switch (answer) {
          case DevIssuer.Answer.Document(int status, var json) -> {
            response.setStatus(status);
            response.getHeaders().put("Content-Type", "application/json");
            yield Json.write(json);
          }
          case DevIssuer.Answer.Page(int status, PlainPage page) -> {
            response.setStatus(status);
            response.getHeaders().put("Content-Type", "text/html; charset=utf-8");
            response
                .getHeaders()
                .put(
                    "Content-Security-Policy",
                    page.loads() + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
            yield page.html();
          }
          case DevIssuer.Answer.Redirect(String to) -> {
            response.setStatus(302);
            response.getHeaders().put("Location", to);
            yield "";
          }
        };
    response.write(true, ByteBuffer.wrap(body.getBytes(UTF_8)), callback);
    return true;
  }
}
