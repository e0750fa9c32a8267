package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.api.ErrorCode.AUTH_FAILED;
import static io.actiongovernance.functions.api.ErrorCode.CONNECTOR_UPSTREAM_ERROR;
import static io.actiongovernance.functions.api.ErrorCode.STATE_CONFLICT;

import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Installations;
import io.actiongovernance.connector.Tested;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/connectors/{connector_id}/test}. */
public final class TestConnectorHandler implements FieldsHandler {
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

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
      Instant testedAt,
      List<String> toolsChanged,
      @Nullable String toolsDigest) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    String accept = accept(call.body());
    ConnectorId id = call.id("connector_id", ConnectorId::parse);
    return switch (installations.test(call.caller(), id, accept, call.mintedId())) {
      case Tested.Passed(
              ConnectorStatus status,
              Duration latency,
              Instant at,
              List<String> changed,
              String digest) ->
          Reply.ok(
              new Result(
                  "connector_test",
                  id.value(),
                  true,
                  status,
                  latency.toMillis(),
                  at,
                  changed,
                  digest));
      case Tested.NotFound _ -> Reply.notFound("connector");
      case Tested.PendingAuth _ ->
          Reply.error(STATE_CONFLICT, "The connector waits to be authorised.");
      case Tested.ListedOtherwise _ ->
          Reply.error(
              STATE_CONFLICT,
              "accept names another list of tools than there is now: test again, and read it.");
      case Tested.Contended _ ->
          Reply.error(STATE_CONFLICT, "The connector was changed by another request meanwhile.");
      case Tested.CredentialsRejected(String error) ->
          Reply.error(AUTH_FAILED, "The source system rejected the credentials: " + error);
      case Tested.UpstreamFailed(String error) ->
          Reply.error(CONNECTOR_UPSTREAM_ERROR, "The test failed: " + error);
    };
  }

  private static @Nullable String accept(Fields body) {
    String accept = body.textOrNull("accept", 1, 64);
    if (accept != null && !DIGEST.matcher(accept).matches()) {
      throw Problem.invalid("accept", "accept must be the tools_digest of a test.");
    }
    body.done();
    return accept;
  }
}
