package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** {@code GET /docs/redoc.standalone.js}: the viewer, as its makers publish it. */
public final class ViewerHandler implements FieldsHandler {
  /** The version is the one that the parent pom pins. */
  private static final String SCRIPT =
      "/META-INF/resources/webjars/redoc/2.5.1/redoc.standalone.js";

  private final Reply script = new Reply.Text(200, "text/javascript; charset=utf-8", script());

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return script;
  }

  private static String script() {
    try (InputStream in = ViewerHandler.class.getResourceAsStream(SCRIPT)) {
      return new String(Objects.requireNonNull(in, SCRIPT).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
