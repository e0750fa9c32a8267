package io.actiongovernance.trace;

import io.actiongovernance.access.Decider;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.SpanKind;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Content of the spans of one plan. Names follow OpenTelemetry's conventions for generative AI if
 * these have one, and are otherwise the service's own. Spans hold identifiers, decisions and times,
 * and never an argument, a result, or the words of an error.
 */
final class PlanSpans {
  /** Flags of a separate trace, which no other system knows, and which is recorded. */
  private static final int RECORDED = 1;

  /** Outcomes of an action that the executor has started. */
  private static final Set<ReceiptOutcome> EXECUTED =
      EnumSet.of(
          ReceiptOutcome.APPLIED,
          ReceiptOutcome.FAILED,
          ReceiptOutcome.UNKNOWN,
          ReceiptOutcome.REFUSED,
          ReceiptOutcome.DEDUPLICATED);

  private final Plan plan;
  private final List<Action> actions;
  private final ActionId first;
  private final TraceParent whole;

  /**
   * @param actions all actions of the plan, in its order
   */
  PlanSpans(Plan plan, List<Action> actions) {
    this.plan = plan;
    this.actions = List.copyOf(actions);
    this.first = actions.getFirst().id();
    TraceParent said = PlannedActions.trace(actions);
    this.whole = said == null ? alone(SpanKind.INVOKE_PLAN) : said;
  }

  /** Returns whether the executor has started the receipt's action. */
  static boolean isExecuted(Receipt receipt) {
    return EXECUTED.contains(receipt.outcome());
  }

  private TraceParent alone(SpanKind kind) {
    return new TraceParent(kind.traceId(first), kind.spanId(first), RECORDED);
  }

  /** Returns the plan's span, from the plan's proposal to the last of its actions. */
  Span whole() {
    TraceParent said = actions.getFirst().terms().trace();
    Instant start = plan.terms().proposedAt();
    Instant end =
        actions.stream().map(PlanSpans::ended).max(Comparator.naturalOrder()).orElse(start);
    List<ReceiptOutcome> failures =
        actions.stream()
            .map(Action::disposal)
            .filter(disposal -> disposal != null && !disposal.ok())
            .map(disposal -> Objects.requireNonNull(disposal).outcome())
            .toList();
    Map<String, Object> attributes = common();
    attributes.put("governance.plan.status", status());
    attributes.put("governance.plan.actions", (long) actions.size());
    attributes.put("governance.plan.held", plan.terms().held());
    if (!failures.isEmpty()) {
      attributes.put("error.type", failures.getFirst().wire());
    }
    return new Span(
        whole,
        said == null ? null : said.spanId(),
        said != null,
        SpanKind.INVOKE_PLAN.wire(),
        false,
        start,
        later(start, end),
        attributes,
        List.of(),
        !failures.isEmpty());
  }

  private static Instant ended(Action action) {
    Action.Disposal disposal = action.disposal();
    return disposal != null
        ? disposal.disposedAt()
        : Objects.requireNonNull(action.closing()).receiptId().madeAt();
  }

  private String status() {
    return plan.claim() != null ? "executed" : ended();
  }

  private String ended() {
    Plan.Ending ending = plan.ending();
    if (ending != null && ending.withdrawn()) {
      return "withdrawn";
    }
    return plan.state() == Plan.State.VETOED ? "vetoed" : "expired";
  }

  /**
   * Returns the spans of the wait for people. One is part of the plan. Another is the first span of
   * a separate trace, because a trace store may have closed the plan's trace by then.
   *
   * @param said position of the approver's own trace, or null
   */
  List<Span> approval(@Nullable TraceParent said) {
    Plan.Claim claim = plan.claim();
    Instant start = plan.terms().proposedAt();
    Instant end = claim != null ? claim.claimedAt() : Objects.requireNonNull(plan.disposedAt());
    Map<String, Object> attributes = common();
    attributes.put("governance.approval.outcome", claim != null ? "approved" : ended());
    attributes.put(
        "governance.approval.waited_ms", Duration.between(start, later(start, end)).toMillis());
    Plan.Approval approval = plan.approval();
    if (approval != null) {
      attributes.put("governance.approval.id", approval.id().value());
    }
    List<Decider> deciders = plan.decidedBy();
    if (!deciders.isEmpty()) {
      attributes.put("governance.approval.method", deciders.getFirst().method());
      attributes.put("governance.approval.decided_by", deciders.getFirst().principal().id());
    }
    List<TraceParent> approver = Stream.ofNullable(said).toList();
    TraceParent part = whole.child(SpanKind.AWAIT_APPROVAL.spanId(first));
    List<TraceParent> links = new ArrayList<>();
    links.add(part);
    links.addAll(approver);
    String name = SpanKind.AWAIT_APPROVAL.wire();
    return List.of(
        new Span(
            part,
            whole.spanId(),
            false,
            name,
            false,
            start,
            later(start, end),
            attributes,
            approver,
            false),
        new Span(
            alone(SpanKind.AWAIT_APPROVAL_ALONE),
            null,
            false,
            name,
            false,
            start,
            later(start, end),
            attributes,
            links,
            false));
  }

  /**
   * Returns the span of an action that the executor has started, as part of its plan. An undo that
   * needed no approval is part of the plan that it undoes.
   */
  Span execution(Receipt receipt, Action action, Instant begun) {
    boolean ok = receipt.document().path("ok").asBoolean();
    Action.Undoing undoing = action.terms().undoing();
    Map<String, Object> attributes = common();
    attributes.put("gen_ai.operation.name", SpanKind.EXECUTE_TOOL.wire());
    attributes.put("gen_ai.tool.name", action.terms().tool());
    attributes.put("gen_ai.tool.call.id", action.id().value());
    attributes.put("governance.action_id", action.id().value());
    attributes.put("governance.receipt_id", receipt.id().value());
    attributes.put("governance.connector_id", action.terms().connector().value());
    attributes.put("governance.outcome", receipt.outcome().wire());
    attributes.put("governance.verdict", receipt.document().at("/verdict/decision").asText());
    put(attributes, "governance.rule", receipt.document().at("/verdict/rule").textValue());
    attributes.put("governance.tier", receipt.document().at("/verdict/tier").asLong());
    if (undoing != null) {
      attributes.put("governance.undo_of", undoing.original().value());
    }
    if (!ok) {
      attributes.put("error.type", receipt.outcome().wire());
    }
    return new Span(
        whole.child(SpanKind.EXECUTE_TOOL.spanId(action.id())),
        undoing == null || undoing.held()
            ? whole.spanId()
            : SpanKind.EXECUTE_TOOL.spanId(undoing.original()),
        false,
        SpanKind.EXECUTE_TOOL.wire() + " " + action.terms().tool(),
        true,
        begun,
        later(begun, receipt.id().madeAt()),
        attributes,
        List.of(),
        !ok);
  }

  private Map<String, Object> common() {
    Map<String, Object> attributes = new LinkedHashMap<>();
    attributes.put("gen_ai.agent.id", plan.terms().operatorId().value());
    attributes.put("governance.tenant_id", plan.partition().tenant().value());
    attributes.put("governance.mode", plan.partition().mode().wire());
    put(attributes, "governance.workspace_id", plan.terms().workspaceId());
    attributes.put("governance.operator_id", plan.terms().operatorId().value());
    attributes.put("governance.plan_id", plan.id().value());
    put(
        attributes,
        "governance.event_id",
        plan.terms().eventId() == null ? null : plan.terms().eventId().value());
    attributes.put("governance.correlation_id", plan.terms().correlationId().value());
    return attributes;
  }

  private static void put(Map<String, Object> attributes, String name, @Nullable String value) {
    if (value != null) {
      attributes.put(name, value);
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isBefore(other) ? other : one;
  }
}
