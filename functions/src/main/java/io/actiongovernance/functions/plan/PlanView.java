package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Decider;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.functions.upstream.ShownRequest;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.policy.Claim;
import io.actiongovernance.policy.Verdict;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The plan object (specification, Plan object; contract, section 2). */
public record PlanView(
    String id,
    String object,
    String operatorId,
    @Nullable String eventId,
    String correlationId,
    PlanStatus status,
    @Nullable WaitingOn waitingOn,
    @Nullable String reasoning,
    List<PlannedAction> actions,
    long guardrailsVersion,
    JsonNode proposedBy,
    @Nullable List<ObjectNode> decidedBy,
    @Nullable String approvalId,
    @Nullable String approver,
    @Nullable String note,
    @Nullable String vetoedBy,
    @Nullable JsonNode vetoedByPrincipal,
    @Nullable String vetoReason,
    Instant proposedAt,
    @Nullable Instant disposedAt,
    Instant expiresAt) {

  /** An element of {@code actions}; {@code value} is left out when none was proposed. */
  public record PlannedAction(
      String id,
      String connector,
      String tool,
      JsonNode args,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigDecimal value,
      @Nullable String currency,
      String entityKey,
      String idempotencyKey,
      String summary,
      Set<Claim> claimed,
      Verdict verdict,
      String actionDigest,
      String toolDigest,
      @Nullable ShownRequest call) {
    /**
     * @param open whether its plan is open: then its request is shown as it would be made now
     */
    static PlannedAction of(RetrievePlan.Judged judged, boolean open) {
      Action.Terms terms = judged.action().terms();
      Connector connector = open && !judged.action().settled() ? judged.connector() : null;
      return new PlannedAction(
          judged.action().id().value(),
          terms.connector().value(),
          terms.tool(),
          terms.args(),
          terms.value(),
          terms.currency(),
          terms.entityKey(),
          terms.idempotencyKey(),
          terms.summary(),
          terms.facts().claimed(),
          judged.verdict(),
          terms.digest(),
          terms.toolDigest(),
          connector == null ? null : ShownRequest.of(connector, terms.tool(), terms.args()));
    }
  }

  public static PlanView of(RetrievePlan.Read read, Instant now) {
    Plan plan = read.plan();
    Plan.Terms terms = plan.terms();
    Plan.Approval approval = plan.approval();
    Plan.Ending ending = plan.ending();
    PlanStatus status = plan.status(now);
    List<ObjectNode> deciders = plan.decidedBy().stream().map(Decider::wire).toList();
    return new PlanView(
        plan.id().value(),
        "execution_plan",
        terms.operatorId().value(),
        terms.eventId() == null ? null : terms.eventId().value(),
        terms.correlationId().value(),
        status,
        status == PlanStatus.PROPOSED ? plan.waitingOn() : null,
        terms.reasoning(),
        read.actions().stream()
            .map(judged -> PlannedAction.of(judged, status == PlanStatus.PROPOSED))
            .toList(),
        terms.guardrailsVersion(),
        terms.proposedBy().wire(),
        deciders.isEmpty() ? null : deciders,
        approval == null ? null : approval.id().value(),
        approval == null ? null : approval.approver(),
        approval == null ? null : approval.note(),
        ending == null ? null : ending.vetoedBy(),
        vetoer(ending),
        ending == null || ending.vetoedBy() == null ? null : ending.reason(),
        terms.proposedAt(),
        plan.disposedAt(),
        plan.expiresAt());
  }

  /** Who vetoed it, as the service knows it; null if nobody did. */
  static @Nullable JsonNode vetoer(Plan.@Nullable Ending ending) {
    return ending == null || ending.vetoer() == null ? null : ending.vetoer().principal().wire();
  }

  /** The plan list item. */
  record Item(
      String id,
      String object,
      String operatorId,
      @Nullable String eventId,
      PlanStatus status,
      @Nullable WaitingOn waitingOn,
      int actionCount,
      int maxTier,
      String summary,
      @Nullable BigDecimal value,
      @Nullable String currency,
      JsonNode proposedBy,
      Instant proposedAt,
      Instant expiresAt) {
    static Item of(Plan plan, Instant now) {
      Plan.Terms terms = plan.terms();
      PlanStatus status = plan.status(now);
      return new Item(
          plan.id().value(),
          "execution_plan",
          terms.operatorId().value(),
          terms.eventId() == null ? null : terms.eventId().value(),
          status,
          status == PlanStatus.PROPOSED ? plan.waitingOn() : null,
          terms.actionIds().size(),
          terms.outline().maxTier(),
          terms.outline().summary(),
          terms.outline().value(),
          terms.outline().currency(),
          terms.proposedBy().wire(),
          terms.proposedAt(),
          plan.expiresAt());
    }
  }
}
