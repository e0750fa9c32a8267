package io.actiongovernance.functions.connector;

import static io.actiongovernance.api.ErrorCode.AUTH_FAILED;
import static io.actiongovernance.api.ErrorCode.CONNECTOR_UPSTREAM_ERROR;
import static io.actiongovernance.api.ErrorCode.STATE_CONFLICT;

import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.connector.Tested;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ConnectorId;
import java.time.Duration;
import java.time.Instant;

/** {@code POST /v1/connectors/{connector_id}/test}. */
public final class TestConnectorHandler implements RouteHandler {
  private final Installations installations;

  public TestConnectorHandler(Installations installations) {
    this.installations = installations;
  }

  record Result(
      String object,
      String connectorId,
      boolean ok,
      ConnectorStatus status,
      long latencyMs,
      Instant testedAt) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    call.body().done();
    ConnectorId id = call.id("connector_id", ConnectorId::parse);
    return switch (installations.test(call.caller(), id, call.mintedId())) {
      case Tested.Passed(ConnectorStatus status, Duration latency, Instant at) ->
          Reply.ok(new Result("connector_test", id.value(), true, status, latency.toMillis(), at));
      case Tested.NotFound _ -> Reply.notFound("connector");
      case Tested.PendingAuth _ ->
          Reply.error(STATE_CONFLICT, "The connector waits to be authorised.");
      case Tested.Contended _ ->
          Reply.error(STATE_CONFLICT, "The connector was changed by another request meanwhile.");
      case Tested.CredentialsRejected(String error) ->
          Reply.error(AUTH_FAILED, "The source system rejected the credentials: " + error);
      case Tested.UpstreamFailed(String error) ->
          Reply.error(CONNECTOR_UPSTREAM_ERROR, "The test failed: " + error);
    };
  }
}
