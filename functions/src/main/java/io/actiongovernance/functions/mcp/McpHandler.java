package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.Traces;
import io.actiongovernance.gateway.CancelledCalls;
import io.actiongovernance.gateway.OfferedTools;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/operators/{operator_id}/mcp}: one message of the Model Context Protocol, in the
 * revision 2026-07-28 or an earlier one (contract for agents, section 4).
 */
@Operation(
    summary = "Send a Model Context Protocol message",
    description =
        "Offers the operator's tools to any MCP client; each call is a plan of one"
            + " action. Serves revisions 2026-07-28, 2025-11-25, 2025-06-18 and 2025-03-26,"
            + " without sessions and with answers in JSON. Once the body is a message, a"
            + " refusal is JSON-RPC's `error`, whose `data` is the error object. A"
            + " notification is answered with 202 and no body.",
    tag = Tag.AGENTS,
    answer = McpHandler.Answered.class,
    errors = ErrorCode.CROSS_SITE_REQUEST)
public final class McpHandler implements RouteHandler<McpHandler.Input> {
  /** The only method that writes. */
  static final String CALL = "tools/call";

  private static final String CANCELLED = "notifications/cancelled";

  private final Operators operators;
  private final Connectors connectors;
  private final ToolCalls toolCalls;
  private final Tasks tasks;
  private final CancelledCalls cancelled;
  private final InstantSource clock;

  McpHandler(
      Operators operators,
      Connectors connectors,
      ToolCalls toolCalls,
      Tasks tasks,
      CancelledCalls cancelled,
      InstantSource clock) {
    this.operators = operators;
    this.connectors = connectors;
    this.toolCalls = toolCalls;
    this.tasks = tasks;
    this.cancelled = cancelled;
    this.clock = clock;
  }

  /** A message, and the headers that repeat parts of it. */
  @Whole(doc = "One message of JSON-RPC 2.0; no batches.")
  record Input(
      OperatorId operatorId,
      @Field(
              in = Field.In.HEADER,
              name = "MCP-Protocol-Version",
              doc = "The revision of the message; required from 2026-07-28 on.",
              example = "2026-07-28")
          @Nullable String version,
      @Field(
              in = Field.In.HEADER,
              name = "Mcp-Method",
              doc = "Method of the message, repeated from the body; required from 2026-07-28 on.",
              example = "tools/call")
          @Nullable String methodHeader,
      @Field(
              in = Field.In.HEADER,
              name = "Mcp-Name",
              doc = "Subject of the message, repeated from the body: the tool or the task.",
              example = "shop_refund_create")
          @Nullable String nameHeader,
      @Field(
              in = Field.In.HEADER,
              name = TraceParent.NAME,
              doc = Traces.DOC,
              example = Traces.EXAMPLE)
          @Nullable String traceparent,
      @Field(doc = "Always `2.0`.", constant = "2.0") String jsonrpc,
      @Field(
              doc =
                  "Identifier of the message, a text or a whole number; left out of"
                      + " notifications.")
          @Nullable JsonNode id,
      @Field(doc = "Method to call.", example = "tools/list") String method,
      @Field(doc = "Parameters of the method.", as = ObjectNode.class)
          @Nullable ObjectNode params) {
    ObjectNode parameters() {
      return params == null ? Json.object() : params;
    }
  }

  @Doc("The answer to a JSON-RPC 2.0 message: a result or an error.")
  record Answered(
      @Field(doc = "Always `2.0`.", constant = "2.0") String jsonrpc,
      @Field(doc = "Identifier of the message.") JsonNode id,
      @Field(doc = "Result of the method.", as = ObjectNode.class)
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable JsonNode result,
      @Field(
              doc =
                  "Error with `code`, `message` and `data`. `data` is the error object of this"
                      + " service, or what the protocol defines for the code.",
              as = ObjectNode.class)
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable JsonNode error) {}

  @Override
  public Reply handle(Call call, Input input) {
    Instant began = clock.instant();
    boolean calls = input.method().equals(CALL);
    Optional<ClaimPlan.Basics> begun =
        calls ? toolCalls.begin(call.caller(), input.operatorId()) : Optional.empty();
    Optional<Operator> operator =
        calls
            ? begun.map(ClaimPlan.Basics::operator)
            : operators.find(call.caller(), input.operatorId());
    if (operator.isEmpty()) {
      return Reply.notFound("operator");
    }
    JsonNode id = input.id();
    if (id == null) {
      if (input.method().equals(CANCELLED)) {
        cancelled.cancel(call.caller(), input.operatorId(), input.parameters().path("requestId"));
      }
      return new Reply.Empty(202);
    }
    try {
      Era.Headers headers =
          new Era.Headers(input.version(), input.methodHeader(), input.nameHeader());
      Era era = Era.of(headers, input.method(), input.parameters());
      if (begun.isEmpty()) {
        return ok(id, era.result(result(call, operator.get(), era, input)));
      }
      Message message = new Message(id, input.parameters(), input.traceparent());
      Reply reply = toolCalls.answer(call, begun.get(), era, message);
      return cancelled.isCancelled(call.caller(), input.operatorId(), id, began)
          ? unanswered(reply)
          : reply;
    } catch (RpcError e) {
      return new Reply.Answer(e.status(), new Answered("2.0", id, null, e.wire()), Map.of());
    }
  }

  /** The client no longer waits for the answer. The outcome of the call is not lost. */
  private static Reply unanswered(Reply reply) {
    Reply none = new Reply.Empty(202);
    return reply instanceof Reply.Remade(_, String minted) ? new Reply.Remade(none, minted) : none;
  }

  /**
   * The parts of a message that depend on its method.
   *
   * @param id any JSON value, which the answer repeats
   * @param traceparent the value of the header
   */
  record Message(JsonNode id, ObjectNode params, @Nullable String traceparent) {
    /** The caller's trace context, from {@code _meta} if it is there, else from the header. */
    @Nullable TraceParent trace() {
      return TraceParent.parse(params.path(Era.META).path(TraceParent.NAME).textValue())
          .or(() -> TraceParent.parse(traceparent))
          .orElse(null);
    }
  }

  private ObjectNode result(Call call, Operator operator, Era era, Input input) {
    ObjectNode params = input.parameters();
    return switch (input.method()) {
      case "tools/list" -> ToolList.result(era, params, offered(call, operator));
      case "server/discover" -> only(era.modern(), era, input, Hello.discovered());
      case "initialize" -> only(!era.modern(), era, input, Hello.initialized(params));
      case "ping" -> only(!era.modern(), era, input, Json.object());
      case "tasks/get" -> tasks.get(call.caller(), operator, era, params);
      case "tasks/cancel" -> tasks.cancel(call, operator, era, params);
      case "tasks/update" -> tasks.update(call.caller(), operator, era, params);
      default -> throw RpcError.method(era, input.method());
    };
  }

  /** Returns the result, or refuses a method that only the other era has. */
  private static ObjectNode only(boolean known, Era era, Input input, ObjectNode result) {
    if (!known) {
      throw RpcError.method(era, input.method());
    }
    return result;
  }

  private OfferedTools offered(Call call, Operator operator) {
    return OfferedTools.of(
        operator, connectors.usable(call.caller().partition(), operator.workspaceId()));
  }

  static Reply ok(JsonNode id, ObjectNode result) {
    return Reply.ok(new Answered("2.0", id, result, null));
  }
}
