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
    description = "Makes failed deliveries again, up to 500 at a time.",
    tag = Tag.WEBHOOKS,
    answer = RecoverEndpointHandler.WebhookRecovery.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class RecoverEndpointHandler implements RouteHandler<RecoverEndpointHandler.Input> {
  private final Redeliver redeliver;

  RecoverEndpointHandler(Redeliver redeliver) {
    this.redeliver = redeliver;
  }

  /** Whose, and of which time. */
  record Input(
      EndpointId endpointId,
      @Field(
              doc = "Failed deliveries made then or later: RFC 3339 with any offset.",
              example = "2026-11-20T21:44:07.412Z")
          Instant since,
      @Field(
              doc =
                  "Failed deliveries made before then: RFC 3339 with any offset; left out: until"
                      + " now.")
          @Nullable Instant until) {}

  @Doc("What was recovered.")
  record WebhookRecovery(
      @Field(doc = "Always `webhook_recovery`.", constant = "webhook_recovery") String object,
      EndpointId endpointId,
      @Field(
              doc =
                  "The beginning of the stretch of time, inclusive: RFC 3339 in UTC, to the"
                      + " millisecond.",
              example = "2026-01-01T00:00:00.000Z")
          Instant since,
      @Field(
              doc = "Its end, exclusive: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:16:30.262Z")
          Instant until,
      @Field(doc = "How many deliveries are made again, 500 at most.", example = "1") int recovered,
      @Field(doc = "Whether failed deliveries are left in the stretch: ask again.")
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
