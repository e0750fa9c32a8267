package io.actiongovernance.functions.docs;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import java.net.URI;

/** {@code GET /v1/openapi.json}: the contract as an OpenAPI 3.1 document. */
public final class OpenApiHandler implements FieldsHandler {
  private final Reply document;

  public OpenApiHandler(URI baseUrl) {
    this.document = Reply.ok(OpenApi.document(baseUrl));
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return document;
  }
}
