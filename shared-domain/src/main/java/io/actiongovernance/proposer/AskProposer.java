package io.actiongovernance.proposer;

import io.actiongovernance.access.Principal;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.access.Spread;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.DraftedBy;
import io.actiongovernance.plan.PastVeto;
import io.actiongovernance.plan.Vetoes;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.WatchedEvents.WatchedEvent;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Makes one operator propose, by its script or its model. Thread-safe. */
public final class AskProposer {
  private final Connectors connectors;
  private final Vetoes vetoes;
  private final Proposer proposer;
  private final ProposePlan proposePlan;
  private final ParkedProposals parked;
  private final Ids ids;

  public AskProposer(
      Connectors connectors,
      Vetoes vetoes,
      Proposer proposer,
      ProposePlan proposePlan,
      ParkedProposals parked,
      Ids ids) {
    this.connectors = connectors;
    this.vetoes = vetoes;
    this.proposer = proposer;
    this.proposePlan = proposePlan;
    this.parked = parked;
    this.ids = ids;
  }

  /**
   * Subject of a proposal.
   *
   * @param event null for a scheduled run
   * @param requestId the HTTP request that led to it; null for a scheduled run
   * @param again who asked the operator to propose again; null if nobody did
   * @param once key that at most one plan may have; for an event, the operator's identifier is
   *     enough if nobody asked it to propose again
   */
  record For(
      @Nullable Event event,
      @Nullable RequestId requestId,
      @Nullable Principal again,
      String once) {}

  /**
   * Asks for a proposal and stores its plan or its receipt.
   *
   * @param watched the event with everything read together with it; null if that was not read
   */
  void ask(Operator operator, For asked, @Nullable WatchedEvent watched) {
    Event event = asked.event();
    CorrelationId correlationId = event == null ? CorrelationId.next(ids) : event.correlationId();
    MDC.put("operator_id", operator.id().value());
    MDC.put("correlation_id", correlationId.value());
    ProposePlan.Origin origin =
        new ProposePlan.Origin(
            operator,
            event,
            correlationId,
            asked.requestId(),
            ProposedBy.operator(
                operator.principal(), event == null ? null : event.ingestedBy(), asked.again()),
            spread(operator, watched).plan(ids.next()),
            asked.once(),
            operator.asksModel() ? ProposerKind.AGENT : ProposerKind.SCRIPT,
            null);
    String provider = operator.modelProvider();
    // A script needs no such check, because storing its plan shows whether there already is one.
    if (provider == null || (operator.asksModel() && proposePlan.finishedBefore(origin))) {
      return;
    }
    ProposalContext context = context(operator, event, watched);
    Proposer.Answer answer = proposer.propose(context);
    DraftedBy draftedBy = new DraftedBy(provider, answer.exchange());
    switch (answer.proposal()) {
      case Proposal.Nothing _ -> {}
      case Proposal.Unusable(String why) -> proposePlan.refuse(origin, why, draftedBy);
      case Proposal.PutOff(int perHour) -> {
        putOff(origin, asked, perHour);
        tell(origin, perHour, draftedBy);
      }
      case Proposal.Proposed proposed ->
          proposePlan.propose(
              origin, proposed, context.connectors(), draftedBy, tenantState(operator, watched));
    }
  }

  /** Parks an event until a later hour. A scheduled run is dropped instead. */
  private void putOff(ProposePlan.Origin origin, For asked, int perHour) {
    Event event = asked.event();
    if (event != null) {
      Operator operator = origin.operator();
      parked.park(
          operator,
          new ProposalRequests.ProposalRequest(
              asked.once() + "#" + event.id(),
              event.id(),
              operator.id(),
              asked.requestId(),
              asked.again(),
              asked.once()),
          perHour);
    }
  }

  /** Writes a receipt that no model is asked in this hour, once for each hour and operator. */
  private void tell(ProposePlan.Origin origin, int perHour, DraftedBy draftedBy) {
    Operator operator = origin.operator();
    Instant hour = origin.planId().madeAt().truncatedTo(ChronoUnit.HOURS);
    ProposePlan.Origin once =
        new ProposePlan.Origin(
            operator,
            null,
            CorrelationId.next(ids),
            null,
            ProposedBy.operator(operator.principal(), null, null),
            origin.planId(),
            "model-calls#" + operator.id() + "#" + Timestamps.format(hour),
            origin.proposer(),
            null);
    if (!proposePlan.finishedBefore(once)) {
      proposePlan.refuse(
          once,
          "The model was not called: its calls for this hour are used up ("
              + perHour
              + " for an operator, and five times as many for a tenant). Events wait for a later hour; scheduled runs are skipped.",
          draftedBy);
    }
  }

  private Spread spread(Operator operator, @Nullable WatchedEvent watched) {
    ClaimPlan.TenantState tenantState =
        watched == null ? proposePlan.tenantState(operator.partition()) : watched.tenantState();
    return tenantState.allowance().spread();
  }

  /**
   * Returns the tenant's state. Null if a model was asked, because that takes so long that earlier
   * reads are out of date.
   */
  private static ClaimPlan.@Nullable TenantState tenantState(
      Operator operator, @Nullable WatchedEvent watched) {
    return watched == null || operator.asksModel() ? null : watched.tenantState();
  }

  private ProposalContext context(
      Operator operator, @Nullable Event event, @Nullable WatchedEvent watched) {
    // Scripts ignore vetoes.
    List<PastVeto> past =
        ProposalRules.entityOf(operator, event)
            .filter(_ -> operator.asksModel())
            .map(entity -> vetoes.over(operator.partition(), operator.id(), entity))
            .orElse(List.of());
    List<Connector> usable =
        watched == null
            ? connectors.usable(operator.partition(), operator.workspaceId())
            : Connectors.usable(watched.connectors(), operator.workspaceId());
    return new ProposalContext(operator, event, usable, past);
  }
}
