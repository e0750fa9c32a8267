package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Redeliver;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/webhook_endpoints/{endpoint_id}/recover}. */
@Operation(
    summary = "Recover failed deliveries",
    description = "Sends failed deliveries again, up to 500 at a time.",
    tag = Tag.WEBHOOKS,
    answer = RecoverEndpointHandler.WebhookRecovery.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class RecoverEndpointHandler implements RouteHandler<RecoverEndpointHandler.Input> {
  private final Redeliver redeliver;

  RecoverEndpointHandler(Redeliver redeliver) {
    this.redeliver = redeliver;
  }

  record Input(
      EndpointId endpointId,
      @Field(
              doc =
                  "Only failed deliveries created at this time or later: RFC 3339 with any"
                      + " offset.",
              example = "2026-11-20T21:44:07.412Z")
          Instant since,
      @Field(
              doc =
                  "Only failed deliveries created before this time: RFC 3339 with any offset;"
                      + " until now if left out.")
          @Nullable Instant until) {}

  @Doc("The result of a recovery.")
  record WebhookRecovery(
      @Field(doc = "Always `webhook_recovery`.", constant = "webhook_recovery") String object,
      EndpointId endpointId,
      @Field(
              doc = "Start of the time range, inclusive: RFC 3339 in UTC, to the millisecond.",
              example = "2026-01-01T00:00:00.000Z")
          Instant since,
      @Field(
              doc = "End of the time range, exclusive: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:16:30.262Z")
          Instant until,
      @Field(doc = "Number of deliveries that are sent again, at most 500.", example = "1")
          int recovered,
      @Field(doc = "True if failed deliveries are left in the time range: send the request again.")
          boolean hasMore) {}

  @Override
  public Reply handle(Call call, Input input) {
    EndpointId endpoint = input.endpointId();
    Instant since = input.since();
    Instant until = input.until() == null ? call.receivedAt() : input.until();
    return Reply.of(
        redeliver.recover(call.caller(), endpoint, since, until, call.mintedId()),
        recovered ->
            new WebhookRecovery(
                "webhook_recovery", endpoint, since, until, recovered.count(), recovered.more()));
  }
}
