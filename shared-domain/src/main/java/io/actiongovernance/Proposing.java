package io.actiongovernance;

import io.actiongovernance.connector.Connectors;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.gateway.GovernedCalls;
import io.actiongovernance.gateway.RememberedCalls;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.StartPlan;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.plan.SupersedePlan;
import io.actiongovernance.proposer.AmendPlan;
import io.actiongovernance.proposer.AskProposer;
import io.actiongovernance.proposer.EvaluateProposal;
import io.actiongovernance.proposer.ParkedProposals;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.ProposeForAgent;
import io.actiongovernance.proposer.ProposeForEvent;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.RefusedProposals;
import io.actiongovernance.proposer.WatchedEvents;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import java.time.InstantSource;

/** Use cases that create plans: for events, for agents, and by amending plans. Thread-safe. */
public final class Proposing {
  private final ProposePlan proposePlan;
  private final ProposeForEvent proposeForEvent;
  private final ProposeForAgent proposeForAgent;
  private final AmendPlan amendPlan;
  private final GovernedCalls governedCalls;

  Proposing(GovernedLoop.Around around, Reading reading, Executing executing) {
    Store store = around.ports().store();
    Operators operators = around.operators();
    Connectors connectors = around.connectors();
    EventLog eventLog = around.eventLog();
    Transactions transactions = around.transactions();
    InstantSource clock = around.ports().clockwork().clock();
    Ids ids = around.ports().clockwork().ids();
    Plans plans = reading.plans();
    RetrievePlan retrievePlan = reading.retrievePlan();
    AwaitPlan awaitPlan = reading.awaitPlan();
    PlannedActions planned = reading.planned();
    CreatePlan createPlan = executing.createPlan();
    StartPlan startPlan =
        new StartPlan(
            planned,
            createPlan,
            executing.claimPlan(),
            executing.runUnheldPlan(),
            executing.finishPlan(),
            eventLog);
    this.proposePlan =
        new ProposePlan(
            connectors,
            new EvaluateProposal(executing.budgets()),
            new RefusedProposals(createPlan, transactions, ids),
            startPlan,
            executing.approvalDefaults(),
            ids);
    ProposalRequests requests = new ProposalRequests(store, clock);
    this.proposeForEvent =
        new ProposeForEvent(
            new WatchedEvents(store, eventLog, operators, connectors),
            eventLog,
            operators,
            requests,
            new AskProposer(
                connectors,
                reading.vetoes(),
                around.ports().proposer(),
                proposePlan,
                new ParkedProposals(store, transactions, requests, clock),
                ids));
    this.proposeForAgent =
        new ProposeForAgent(operators, eventLog, proposePlan, awaitPlan, retrievePlan, clock);
    this.amendPlan =
        new AmendPlan(
            operators,
            connectors,
            eventLog,
            planned,
            new AmendPlan.Collaborators(
                proposePlan,
                startPlan,
                new SupersedePlan(plans, createPlan, reading.closeActions(), clock),
                retrievePlan),
            clock);
    this.governedCalls =
        new GovernedCalls(
            new GovernedCalls.Collaborators(
                proposePlan,
                awaitPlan,
                reading.expirePlan(),
                plans,
                reading.actions(),
                reading.haltRegister()),
            new RememberedCalls(store, clock),
            clock);
  }

  public ProposePlan proposePlan() {
    return proposePlan;
  }

  public ProposeForEvent proposeForEvent() {
    return proposeForEvent;
  }

  public ProposeForAgent proposeForAgent() {
    return proposeForAgent;
  }

  public AmendPlan amendPlan() {
    return amendPlan;
  }

  /** Returns the use case that calls tools, with a separate plan for each call. */
  public GovernedCalls governedCalls() {
    return governedCalls;
  }
}
