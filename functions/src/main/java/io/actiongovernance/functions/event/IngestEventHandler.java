package io.actiongovernance.functions.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.IngestEvent;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.Traces;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/events}. */
@Operation(
    summary = "Ingest an envelope",
    description = "The event is durable before the answer.",
    tag = Tag.EVENTS,
    status = 201,
    answer = EventView.class)
public final class IngestEventHandler implements RouteHandler<IngestEventHandler.Input> {
  private final IngestEvent ingestEvent;
  private final EventCursors cursors;

  public IngestEventHandler(IngestEvent ingestEvent, EventCursors cursors) {
    this.ingestEvent = ingestEvent;
    this.cursors = cursors;
  }

  @Whole(doc = "An envelope.")
  record Input(
      @Field(
              in = Field.In.HEADER,
              name = TraceParent.NAME,
              doc = Traces.DOC,
              example = Traces.EXAMPLE)
          @Nullable String traceparent,
      @Field(
              doc = "Source system of the event, 1 to 100 characters.",
              text = Field.Text.LINE,
              min = 1,
              max = 100,
              example = "shop")
          String source,
      @Field(
              doc = "Dotted noun.verb, lower case, such as `order.complained`.",
              pattern = "[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+",
              max = 200,
              rule = "a dotted noun.verb in lower case of at most 200 characters",
              example = "order.complained")
          String eventType,
      @Field(
              doc =
                  "Details of the event, as the source tells them: kept to the last key and"
                      + " digit. 256 KB at most with the rest of the body.",
              example = "{\"id\":\"1042\",\"total\":\"42.00\"}")
          ObjectNode payload,
      @Field(
              doc =
                  "Identifier shared by everything that the event leads to: `co_` followed by"
                      + " your own text. Created by the service if left out.",
              rule = "an identifier with prefix co_")
          @Nullable CorrelationId correlationId,
      @Field(
              doc =
                  "The workspace of the event; the key's own if left out. A pinned key may name"
                      + " no other.",
              text = Field.Text.LINE,
              min = 1,
              max = 100)
          @Nullable String workspaceId,
      @Field(
              doc = "The source system's agent that the event comes from.",
              text = Field.Text.LINE,
              min = 1,
              max = 200)
          @Nullable String agentId,
      @Field(
              doc = "The source system's session that the event comes from.",
              text = Field.Text.LINE,
              min = 1,
              max = 200)
          @Nullable String sessionId) {
    IngestEvent.Envelope envelope() {
      return new IngestEvent.Envelope(
          source,
          eventType,
          payload,
          correlationId,
          workspaceId,
          agentId,
          sessionId,
          TraceParent.of(traceparent));
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    EventId id = new EventId(EventId.PREFIX + call.mintedId());
    return switch (ingestEvent.ingest(call.caller(), id, input.envelope())) {
      case Done(Event event) ->
          Reply.created(EventView.of(call.caller(), event, cursors.of(event)));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
