package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** {@code GET /v1/openapi.json}: the contract as an OpenAPI 3.1 document. */
@Operation(
    summary = "Retrieve this document",
    tag = Tag.DOCUMENTATION,
    mediaType = "application/json",
    sample =
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Action Governance Service\","
            + "\"version\":\"2026-09-01\"},\"paths\":{}}")
public final class OpenApiHandler implements RouteHandler<NoInput> {
  /** The document that the build created, by {@code WriteSamples}. */
  public static final String DOCUMENT = "/openapi.json";

  /** Placeholder for the service's address until it is known. */
  public static final URI ANYWHERE = URI.create("https://governance.invalid");

  private final Reply document;

  public OpenApiHandler(URI baseUrl) {
    this.document = new Reply.Text(200, "application/json", document(baseUrl));
  }

  /** The document for a service at this address, as JSON text. */
  public static String document(URI baseUrl) {
    return document().replace(ANYWHERE.toString(), baseUrl.toString());
  }

  private static String document() {
    try (InputStream in = OpenApiHandler.class.getResourceAsStream(DOCUMENT)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Reply handle(Call call, NoInput none) {
    return document;
  }
}
