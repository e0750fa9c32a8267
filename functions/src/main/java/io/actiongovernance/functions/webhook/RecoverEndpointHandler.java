package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.time.Timestamps;
import io.actiongovernance.webhook.Redeliver;
import java.time.Instant;

/** {@code POST /v1/webhook_endpoints/{endpoint_id}/recover}. */
public final class RecoverEndpointHandler implements FieldsHandler {
  private static final String TIMESTAMP = "an RFC 3339 timestamp";

  private final Redeliver redeliver;

  public RecoverEndpointHandler(Wiring wiring) {
    this.redeliver = wiring.webhooks().redeliver();
  }

  /** {@code hasMore}: the same request again recovers the rest. */
  record Recovery(
      String object,
      EndpointId endpointId,
      Instant since,
      Instant until,
      int recovered,
      boolean hasMore) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    Instant since = body.choice("since", Timestamps::parse, TIMESTAMP);
    Instant named = body.choiceOrNull("until", Timestamps::parse, TIMESTAMP);
    body.done();
    Instant until = named == null ? call.receivedAt() : named;
    if (!since.isBefore(until)) {
      throw Problem.invalid("until", "until must be later than since.");
    }
    EndpointId endpoint = call.id("endpoint_id", EndpointId::parse);
    return switch (redeliver.recover(call.caller(), endpoint, since, until, call.mintedId())) {
      case Redeliver.Recovery.Done(int count, boolean more) ->
          Reply.ok(new Recovery("webhook_recovery", endpoint, since, until, count, more));
      case Redeliver.Recovery.Refused(var refusal) -> DeliveryReplies.refusal(refusal);
    };
  }
}
