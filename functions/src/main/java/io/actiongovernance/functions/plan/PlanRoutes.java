package io.actiongovernance.functions.plan;

import static io.actiongovernance.functions.rights.Needs.CLOSE;
import static io.actiongovernance.functions.rights.Needs.PROPOSE;
import static io.actiongovernance.functions.rights.Needs.RUN;
import static io.actiongovernance.functions.rights.Needs.VOTE;
import static io.actiongovernance.functions.rights.Needs.WAIT;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.store.Table.EVENTS;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.RECEIPTS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.proposer.Repropose;
import java.util.List;

/** The routes of plans. */
public final class PlanRoutes {
  public static final Route PROPOSE_PLAN =
      Route.post("propose-plan", "/v1/operators/{operator_id}/plans")
          .key(Scope.PLANS_PROPOSE, RateClass.PROPOSE)
          .needs(PROPOSE)
          .handledBy(
              () -> ProposePlanHandler.class,
              wiring ->
                  new ProposePlanHandler(
                      wiring.loop().proposing().proposeForAgent(), wiring.clock()));

  public static final Route REPROPOSE =
      Route.post("repropose", "/v1/operators/{operator_id}/repropose")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(reading(EVENTS).and(on(STATE, READ, PUT)))
          .handledBy(
              () -> ReproposeHandler.class,
              wiring ->
                  new ReproposeHandler(
                      new Repropose(
                          wiring.operators(), wiring.eventLog(), wiring.proposalRequests())));

  public static final Route LIST_PLANS =
      Route.get("list-plans", "/v1/plans")
          .key(Scope.PLANS_READ, RateClass.PLANS)
          .needs(reading(STATE, LIMITS, EVENTS, RECEIPTS))
          .handledBy(
              () -> ListPlansHandler.class,
              wiring ->
                  new ListPlansHandler(
                      wiring.loop().reading().listPlans(),
                      wiring.loop().executing().planApprovals(),
                      wiring.clock()));

  public static final Route RETRIEVE_PLAN =
      Route.get("retrieve-plan", "/v1/plans/{plan_id}")
          .key(Scope.PLANS_READ, RateClass.PLANS)
          .needs(WAIT.and(reading(STATE)))
          .handledBy(
              () -> RetrievePlanHandler.class,
              wiring ->
                  new RetrievePlanHandler(
                      wiring.loop().reading().retrieveOnceDisposed(), wiring.clock()));

  public static final Route RETRIEVE_PROPOSAL =
      Route.get("retrieve-proposal", "/v1/plans/{plan_id}/proposal")
          .key(Scope.PLANS_READ, RateClass.PLANS)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveProposalHandler.class,
              wiring -> new RetrieveProposalHandler(wiring.loop().reading().retrieveProposal()));

  public static final Route APPROVE_PLAN =
      Route.post("approve-plan", "/v1/plans/{plan_id}/approve")
          .key(Scope.PLANS_APPROVE, RateClass.PLANS)
          .needs(RUN.and(VOTE))
          .handledBy(
              () -> ApprovePlanHandler.class,
              wiring -> new ApprovePlanHandler(wiring.loop().executing().approvePlan()));

  public static final Route RETRIEVE_APPROVAL =
      Route.get("retrieve-approval", "/v1/approvals/{approval_id}")
          .key(Scope.PLANS_READ, RateClass.PLANS)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveApprovalHandler.class,
              wiring -> new RetrieveApprovalHandler(wiring.loop().reading().retrieveApproval()));

  public static final Route RETRIEVE_PLAN_APPROVAL =
      Route.get("retrieve-plan-approval", "/v1/plans/{plan_id}/approval")
          .key(Scope.PLANS_READ, RateClass.PLANS)
          .needs(reading(STATE, RECEIPTS))
          .handledBy(
              () -> RetrievePlanApprovalHandler.class,
              wiring -> new RetrievePlanApprovalHandler(wiring.loop().executing().planApprovals()));

  public static final Route CREATE_CHALLENGE =
      Route.post("create-approval-challenge", "/v1/plans/{plan_id}/approval/challenges")
          .key(Scope.PLANS_APPROVE, RateClass.PLANS)
          .needs(on(STATE, READ, PUT).and(reading(RECEIPTS)))
          .handledBy(
              () -> CreateChallengeHandler.class,
              wiring -> new CreateChallengeHandler(wiring.loop().executing().planApprovals()));

  public static final Route WITHDRAW_VOTE =
      Route.delete("withdraw-vote", "/v1/plans/{plan_id}/approval/vote")
          .key(Scope.PLANS_APPROVE, RateClass.PLANS)
          .needs(CLOSE.and(VOTE))
          .handledBy(
              () -> WithdrawVoteHandler.class,
              wiring -> new WithdrawVoteHandler(wiring.loop().executing().planApprovals()));

  public static final Route VETO_PLAN =
      Route.post("veto-plan", "/v1/plans/{plan_id}/veto")
          .key(Scope.PLANS_APPROVE, RateClass.PLANS)
          .needs(CLOSE)
          .handledBy(
              () -> VetoPlanHandler.class,
              wiring -> new VetoPlanHandler(wiring.loop().executing().vetoPlan()));

  public static final Route AMEND_PLAN =
      Route.post("amend-plan", "/v1/plans/{plan_id}/amend")
          .key(Scope.PLANS_AMEND, RateClass.PLANS)
          .needs(PROPOSE)
          .handledBy(
              () -> AmendPlanHandler.class,
              wiring ->
                  new AmendPlanHandler(wiring.loop().proposing().amendPlan(), wiring.clock()));

  public static final Route WITHDRAW_PLAN =
      Route.post("withdraw-plan", "/v1/plans/{plan_id}/withdraw")
          .key(Scope.PLANS_PROPOSE, RateClass.PROPOSE)
          .or(Scope.ACTIONS_WRITE)
          .needs(CLOSE)
          .handledBy(
              () -> WithdrawPlanHandler.class,
              wiring -> new WithdrawPlanHandler(wiring.loop().executing().vetoPlan()));

  private PlanRoutes() {}

  public static List<Route> all() {
    return List.of(
        PROPOSE_PLAN,
        REPROPOSE,
        LIST_PLANS,
        RETRIEVE_PLAN,
        RETRIEVE_PROPOSAL,
        APPROVE_PLAN,
        RETRIEVE_APPROVAL,
        RETRIEVE_PLAN_APPROVAL,
        CREATE_CHALLENGE,
        WITHDRAW_VOTE,
        VETO_PLAN,
        AMEND_PLAN,
        WITHDRAW_PLAN);
  }
}
