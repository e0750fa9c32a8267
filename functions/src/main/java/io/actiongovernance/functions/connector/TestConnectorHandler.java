package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Installations;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ConnectorId;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/connectors/{connector_id}/test}. */
@Operation(
    summary = "Test a connector",
    description =
        "Makes the connector's test request, and draws its status from what it finds. For a Model Context Protocol server it says which tools changed since they were accepted; with `accept`, it accepts what the server lists now, if that still is what was said.",
    tag = Tag.CONNECTORS,
    answer = ConnectorTestView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.AUTH_FAILED, ErrorCode.CONNECTOR_UPSTREAM_ERROR})
public final class TestConnectorHandler implements RouteHandler<TestConnectorHandler.Input> {
  private final Installations installations;

  public TestConnectorHandler(Installations installations) {
    this.installations = installations;
  }

  /** Which one, and what to accept. */
  @Whole(doc = "What to accept; nothing when left out.")
  record Input(
      ConnectorId connectorId,
      @Field(
              doc =
                  "The `tools_digest` of a test: the tools that the Model Context Protocol server lists now are accepted as they are, if they still are those. Anything else is 409 `state_conflict` and accepts nothing.",
              pattern = ConnectorTestView.DIGEST,
              rule = "the tools_digest of a test")
          @Nullable String accept) {}

  @Override
  public Reply handle(Call call, Input input) {
    ConnectorId id = input.connectorId();
    return Reply.of(
        installations.test(call.caller(), id, input.accept(), call.mintedId()),
        tested -> ConnectorTestView.of(id, tested));
  }
}
