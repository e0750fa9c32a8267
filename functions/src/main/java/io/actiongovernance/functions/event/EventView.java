package io.actiongovernance.functions.event;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.Logged;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TenantId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event as responses show it: the fields of its envelope, and {@code id}, {@code object}, {@code
 * plan_ids}, {@code created_at}.
 *
 * @param payload the payload as JSON text, unchanged so that it keeps the size it was sent with
 */
@Doc("An envelope: an ingested event, or the service's own outcome of a plan.")
record EventView(
    EventId id,
    @Field(doc = "Always `event`.", constant = "event") String object,
    @Field(
            doc =
                "Identifier of the event, equal to `id`. Consumers of the stream deduplicate on"
                    + " it.")
        EventId eventId,
    @Field(doc = "The tenant's reseller, as the key has it; null if there is none.")
        @Nullable String resellerId,
    TenantId tenantId,
    @Field(doc = "The workspace it belongs to; null for the tenant as a whole.")
        @Nullable String workspaceId,
    @Field(doc = "Source system of the event, as sent, such as `shop`.", example = "shop")
        String source,
    @Field(doc = "Dotted noun.verb, such as `order.complained`.", example = "order.complained")
        String eventType,
    @Field(
            doc =
                "Identifier shared by the plans, actions and receipts that the event leads to;"
                    + " as sent, else created by the service.")
        CorrelationId correlationId,
    @Field(
            doc = "Payload as sent: every key, every string, numbers to the last digit.",
            as = ObjectNode.class,
            example = "{\"id\":\"1042\",\"total\":\"42.00\"}")
        @JsonRawValue
        String payload,
    @Field(
            doc =
                "The source system's agent that the event came from, as sent; null if none was"
                    + " named.")
        @Nullable String agentId,
    @Field(
            doc =
                "The source system's session that the event came from, as sent; null if none"
                    + " was named.")
        @Nullable String sessionId,
    @Field(
            doc =
                "`event` for what was posted, whatever it calls itself; `outcome` for the"
                    + " service's own report on a plan.",
            example = "event")
        EventKind kind,
    @Field(
            doc =
                "Position in the unfiltered log. The stream and the list resume strictly after"
                    + " it.",
            example =
                "cur_1cq0Zt8VxNftPVz9j3hADLE6QUSCGAgjuuPJWFPaHB__XQAcLWBqr90ujegx2LcRnkHi1dKBxjAH-TAv0gsdukF5JbiwySW84Q")
        String cursor,
    @Field(
            doc =
                "Identifiers of the plans proposed for the event so far; for an outcome, of the"
                    + " plan that it is about.")
        List<String> planIds,
    @Field(
            doc = "Time of creation: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-20T21:44:07.412Z")
        Instant createdAt) {

  static EventView of(Caller caller, Logged event, String cursor) {
    @Nullable Event ingested = event instanceof Event one ? one : null;
    return new EventView(
        event.id(),
        "event",
        event.id(),
        ingested == null ? caller.resellerId() : ingested.resellerId(),
        event.partition().tenant(),
        event.workspaceId(),
        event.source(),
        event.eventType(),
        event.correlationId(),
        event.payloadText(),
        ingested == null ? null : ingested.agentId(),
        ingested == null ? null : ingested.sessionId(),
        EventKind.of(event),
        cursor,
        event.planIds().stream().map(PlanId::value).toList(),
        event.createdAt());
  }
}
