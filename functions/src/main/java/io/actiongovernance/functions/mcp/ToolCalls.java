package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.mcp.McpHandler.Message;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.gateway.GovernedCall;
import io.actiongovernance.gateway.GovernedCalls;
import io.actiongovernance.gateway.OfferedTool;
import io.actiongovernance.gateway.OfferedTools;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanOutcomes;
import io.actiongovernance.plan.VetoPlan;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Handles {@code tools/call}, which proposes a plan of one action or calls the gateway's own tool.
 * Thread-safe.
 */
final class ToolCalls {
  /** The longest wait for a call. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String SAID_KEY = "io.actiongovernance/idempotency_key";
  private static final String ARGUMENTS = "arguments";
  private static final int LONGEST_REASON = 2_000;

  private final GovernedCalls calls;
  private final Connectors connectors;
  private final VetoPlan vetoPlan;
  private final CallAnswers answers;
  private final Tasks tasks;
  private final PlanPages pages;
  private final InstantSource clock;

  /** The three ways to answer a call: its outcome, a task, or the page of its plan. */
  record Answering(CallAnswers answers, Tasks tasks, PlanPages pages) {}

  ToolCalls(
      GovernedCalls calls,
      Connectors connectors,
      VetoPlan vetoPlan,
      Answering answering,
      InstantSource clock) {
    this.calls = calls;
    this.connectors = connectors;
    this.vetoPlan = vetoPlan;
    this.answers = answering.answers();
    this.tasks = answering.tasks();
    this.pages = answering.pages();
    this.clock = clock;
  }

  /**
   * The facts that a call's plan depends on, including the called operator; empty if there is no
   * such operator.
   */
  Optional<ClaimPlan.Basics> begin(Caller caller, OperatorId operator) {
    return calls.begin(caller, operator);
  }

  Reply answer(Call call, ClaimPlan.Basics begun, Era era, Message message) {
    Operator operator = begun.operator();
    ObjectNode params = message.params();
    if (!params.path("name").isTextual()) {
      throw RpcError.params("name must be the name of a tool.");
    }
    JsonNode arguments = params.path(ARGUMENTS);
    if (arguments.isMissingNode() || arguments.isNull()) {
      arguments = Json.object();
    }
    if (!(arguments instanceof ObjectNode args)) {
      return unfit(message, era, ARGUMENTS + " must be an object.");
    }
    PlanPages.Asked asked =
        new PlanPages.Asked(call.caller(), operator.id(), params.path("name").textValue(), args);
    if (params.has(PlanPages.STATE) || params.has(PlanPages.RESPONSES)) {
      return result(message, era, pages.again(call, era, asked, params, PATIENCE));
    }
    return switch (asked.tool()) {
      case ToolList.PLAN -> result(message, era, plan(call, operator, era, args));
      case ToolList.WITHDRAW -> result(message, era, withdrawn(call, operator, args));
      default -> governed(call, begun, era, message, asked);
    };
  }

  private Reply governed(
      Call call, ClaimPlan.Basics begun, Era era, Message message, PlanPages.Asked asked) {
    Operator operator = begun.operator();
    List<Connector> usable = connectors.usable(call.caller().partition(), operator.workspaceId());
    GovernedCalls.Request request =
        new GovernedCalls.Request(
            begun,
            usable,
            tool(OfferedTools.of(operator, usable), message),
            asked.args(),
            saidKey(message),
            call.mintedId(),
            call.idempotencyKey() != null,
            PATIENCE,
            message.trace());
    return switch (calls.call(call.caller(), request)) {
      case Done(GovernedCall made) ->
          new Reply.Remade(
              McpHandler.ok(message.id(), era.result(come(asked, era, made))),
              made.plan().id().value().substring(PlanId.PREFIX.length()));
      case Refused(Refusal refusal) -> refused(message, era, refusal);
    };
  }

  /**
   * The outcome of a call. An unfinished call gets a task if the client accepts one. A call that a
   * person must approve gets the plan's page if the client opens pages.
   */
  private ObjectNode come(PlanPages.Asked asked, Era era, GovernedCall made) {
    if (era.takesTasks() && !answers.standing(made).isOver()) {
      return tasks.created(made);
    }
    return pages.answers(era, made)
        ? pages.answer(asked, made)
        : answers.result(asked.caller(), era, made);
  }

  private static OfferedTool tool(OfferedTools offered, Message message) {
    String name = message.params().path("name").textValue();
    return switch (offered.find(name)) {
      case OfferedTools.Named.One(OfferedTool tool) -> tool;
      case OfferedTools.Named.Several(List<String> names) ->
          throw RpcError.params(
              name + " is ambiguous. Call one of " + String.join(", ", names) + ".");
      case OfferedTools.Named.Nothing _ -> throw RpcError.params("There is no tool " + name + ".");
    };
  }

  private static @Nullable String saidKey(Message message) {
    JsonNode said = message.params().path(Era.META).path(SAID_KEY);
    if (said.isMissingNode() || said.isTextual()) {
      return said.textValue();
    }
    throw RpcError.params(SAID_KEY + " must be a string.");
  }

  /** A refusal that a model can correct goes to the model; any other goes to its host. */
  private static Reply refused(Message message, Era era, Refusal refusal) {
    String path = refusal.path();
    boolean mendable = path != null && !path.endsWith("idempotency_key");
    if (!mendable) {
      return new Reply.Remade(Reply.refused(refusal), null);
    }
    return unfit(message, era, told(path + ": ") + told(refusal.sentence()));
  }

  /** Rewrites the path of a plan's field for the caller, who knows only the call. */
  private static String told(String text) {
    return text.replace("actions[0].args", ARGUMENTS).replace("actions[0].", "");
  }

  private static Reply unfit(Message message, Era era, String why) {
    return result(message, era, ToolResult.error(why).wire());
  }

  private static Reply result(Message message, Era era, ObjectNode result) {
    return new Reply.Remade(McpHandler.ok(message.id(), era.result(result)), null);
  }

  private ObjectNode plan(Call call, Operator operator, Era era, ObjectNode args) {
    Optional<GovernedCall> found = named(call, operator, args);
    if (found.isEmpty()) {
      return noSuchPlan();
    }
    GovernedCall named = found.get();
    return named.isOne() ? answers.result(call.caller(), era, named) : several(named.plan());
  }

  /** Describes a plan of several actions, of which none is the result of the call. */
  private ObjectNode several(Plan plan) {
    String status = plan.status(clock.instant()).wire();
    String next = "GET /v1/plans/" + plan.id() + " shows its actions.";
    PlanOutcomes outcomes = plan.outcomes();
    String came = outcomes == null ? "" : ": " + outcomes.sentence();
    return ToolResult.text("The plan is " + status + came + ". " + next)
        .structured(
            Json.object()
                .put("status", status)
                .put(ToolList.PLAN_ID, plan.id().value())
                .put("next", next))
        .wire();
  }

  private ObjectNode withdrawn(Call call, Operator operator, ObjectNode args) {
    String reason = args.path(ToolList.REASON).asText();
    if (reason.isBlank() || reason.length() > LONGEST_REASON) {
      return ToolResult.error(
              ToolList.REASON + ": must be a string of 1 to " + LONGEST_REASON + " characters.")
          .wire();
    }
    Optional<GovernedCall> found = named(call, operator, args);
    if (found.isEmpty()) {
      return noSuchPlan();
    }
    PlanId id = found.get().plan().id();
    return switch (vetoPlan.withdraw(call.caller(), id, call.mintedId(), reason)) {
      case Done(Plan _) ->
          ToolResult.text("Withdrawn: nothing of plan " + id + " will run.")
              .structured(
                  Json.object()
                      .put("status", "vetoed")
                      .put(ToolList.PLAN_ID, id.value())
                      .put("next", "Nothing more: the plan has ended."))
              .wire();
      case Refused(Refusal refusal) -> ToolResult.error(refusal.sentence()).wire();
    };
  }

  private Optional<GovernedCall> named(Call call, Operator operator, ObjectNode args) {
    return PlanId.parse(args.path(ToolList.PLAN_ID).asText())
        .flatMap(id -> calls.find(call.caller(), operator.id(), id));
  }

  private static ObjectNode noSuchPlan() {
    return ToolResult.error(ToolList.PLAN_ID + ": you have no such plan.").wire();
  }
}
