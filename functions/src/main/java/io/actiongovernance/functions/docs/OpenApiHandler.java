package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import java.net.URI;

/** {@code GET /v1/openapi.json}: the contract as an OpenAPI 3.1 document. */
@Operation(
    summary = "This document",
    tag = Tag.DOCUMENTATION,
    mediaType = "application/json",
    sample =
        "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"Action Governance Service\","
            + "\"version\":\"2026-09-01\"},\"paths\":{}}")
public final class OpenApiHandler implements RouteHandler<NoInput> {
  private final Reply document;

  public OpenApiHandler(URI baseUrl) {
    this.document = Reply.ok(OpenApi.document(baseUrl));
  }

  @Override
  public Reply handle(Call call, NoInput none) {
    return document;
  }
}
