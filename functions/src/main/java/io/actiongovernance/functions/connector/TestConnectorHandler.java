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
        "Makes the connector's test request and sets the status by its result. For a"
            + " Model Context Protocol server, the answer names the tools that changed since"
            + " they were accepted. With `accept`, the service accepts what the server lists"
            + " now, if that still has the given digest.",
    tag = Tag.CONNECTORS,
    answer = ConnectorTestView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.AUTH_FAILED, ErrorCode.CONNECTOR_UPSTREAM_ERROR})
public final class TestConnectorHandler implements RouteHandler<TestConnectorHandler.Input> {
  private final Installations installations;

  public TestConnectorHandler(Installations installations) {
    this.installations = installations;
  }

  /** The connector to test, and the tools to accept. */
  @Whole(doc = "The listing of tools to accept; nothing if left out.")
  record Input(
      ConnectorId connectorId,
      @Field(
              doc =
                  "The `tools_digest` of a test. Accepts the tools that the Model Context"
                      + " Protocol server lists now, if they still have this digest. Otherwise the"
                      + " answer is 409 `state_conflict` and nothing is accepted.",
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
