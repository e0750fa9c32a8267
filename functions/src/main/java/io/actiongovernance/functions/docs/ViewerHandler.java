package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;

/** {@code GET /docs/redoc.standalone.js}: the document viewer, as its makers publish it. */
@Operation(
    summary = "Retrieve the viewer of this document",
    tag = Tag.DOCUMENTATION,
    mediaType = "text/javascript",
    sample = "/* Redoc, which shows the document at /docs */ …")
public final class ViewerHandler implements RouteHandler<NoInput> {
  /** The version must be the one that the parent pom pins. */
  private static final String SCRIPT =
      "/META-INF/resources/webjars/redoc/2.5.1/redoc.standalone.js";

  private final Reply script = new Reply.Asset("text/javascript; charset=utf-8", script());

  @Override
  public Reply handle(Call call, NoInput none) {
    return script;
  }

  private static byte[] script() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (InputStream in = ViewerHandler.class.getResourceAsStream(SCRIPT);
        GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      Objects.requireNonNull(in, SCRIPT).transferTo(gzip);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
