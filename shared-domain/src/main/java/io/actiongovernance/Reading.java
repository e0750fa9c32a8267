package io.actiongovernance;

import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.action.Actions;
import io.actiongovernance.action.ListActions;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.RetrieveOnceDisposed;
import io.actiongovernance.kernel.SlottedWait;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.RetrieveAction;
import io.actiongovernance.plan.RetrieveApproval;
import io.actiongovernance.plan.RetrieveExplanation;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.plan.RetrieveProposal;
import io.actiongovernance.plan.RetrieveResult;
import io.actiongovernance.plan.StoredAncestry;
import io.actiongovernance.plan.Vetoes;
import io.actiongovernance.receipt.ListReceipts;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.Store;
import java.time.InstantSource;

/** Stored plans, actions and receipts, and their readers. Thread-safe. */
public final class Reading {
  private final Vetoes vetoes;
  private final Actions actions;
  private final HaltRegister haltRegister;
  private final Plans plans;
  private final ReceiptLedger ledger;
  private final PlannedActions planned;
  private final SlottedWait slottedWait;
  private final CloseActions closeActions;
  private final ExpirePlan expirePlan;
  private final ListPlans listPlans;
  private final RetrievePlan retrievePlan;
  private final RetrieveAction retrieveAction;
  private final RetrieveResult retrieveResult;
  private final RetrieveExplanation retrieveExplanation;
  private final AwaitPlan awaitPlan;
  private final RetrieveOnceDisposed retrieveOnceDisposed;
  private final RetrieveProposal retrieveProposal;
  private final RetrieveApproval retrieveApproval;
  private final ListActions listActions;
  private final ListReceipts listReceipts;

  Reading(GovernedLoop.Around around) {
    Store store = around.ports().store();
    EventLog eventLog = around.eventLog();
    InstantSource clock = around.ports().clockwork().clock();
    Ids ids = around.ports().clockwork().ids();
    this.vetoes = new Vetoes(store);
    this.actions = new Actions(store);
    this.haltRegister = new HaltRegister(store, clock);
    this.plans = new Plans(store, haltRegister);
    this.ledger = new ReceiptLedger(store);
    this.planned = new PlannedActions(plans, actions);
    this.slottedWait =
        new SlottedWait(
            new WaitSlots(store, clock, around.ports().clockwork().random()),
            ids,
            clock,
            around.ports().clockwork().sleeper());
    this.closeActions = new CloseActions(store, around.transactions(), actions, vetoes, ids);
    this.expirePlan = new ExpirePlan(store, plans, closeActions, haltRegister, clock);
    this.listPlans = new ListPlans(store, plans, clock, expirePlan, haltRegister, eventLog);
    this.retrievePlan =
        new RetrievePlan(
            store, planned, around.operators(), around.connectors(), expirePlan, clock);
    this.retrieveAction = new RetrieveAction(actions, plans, retrievePlan);
    this.retrieveResult = new RetrieveResult(actions, plans, around.results());
    this.retrieveExplanation =
        new RetrieveExplanation(
            retrieveAction, plans, new GuardrailsVersions(store, around.operators()), ledger);
    this.awaitPlan = new AwaitPlan(planned, expirePlan, slottedWait, around.waits(), clock);
    this.retrieveOnceDisposed = new RetrieveOnceDisposed(retrievePlan, retrieveAction, awaitPlan);
    this.retrieveProposal = new RetrieveProposal(store, plans, actions);
    this.retrieveApproval = new RetrieveApproval(store);
    this.listActions = new ListActions(store, actions, ledger, planned::actionIds);
    this.listReceipts = new ListReceipts(store, new StoredAncestry(planned, eventLog));
  }

  Vetoes vetoes() {
    return vetoes;
  }

  public Actions actions() {
    return actions;
  }

  HaltRegister haltRegister() {
    return haltRegister;
  }

  public Plans plans() {
    return plans;
  }

  public ReceiptLedger ledger() {
    return ledger;
  }

  PlannedActions planned() {
    return planned;
  }

  SlottedWait slottedWait() {
    return slottedWait;
  }

  CloseActions closeActions() {
    return closeActions;
  }

  public ExpirePlan expirePlan() {
    return expirePlan;
  }

  public ListPlans listPlans() {
    return listPlans;
  }

  public RetrievePlan retrievePlan() {
    return retrievePlan;
  }

  public RetrieveAction retrieveAction() {
    return retrieveAction;
  }

  public RetrieveResult retrieveResult() {
    return retrieveResult;
  }

  public RetrieveExplanation retrieveExplanation() {
    return retrieveExplanation;
  }

  public AwaitPlan awaitPlan() {
    return awaitPlan;
  }

  public RetrieveOnceDisposed retrieveOnceDisposed() {
    return retrieveOnceDisposed;
  }

  public RetrieveProposal retrieveProposal() {
    return retrieveProposal;
  }

  public RetrieveApproval retrieveApproval() {
    return retrieveApproval;
  }

  public ListActions listActions() {
    return listActions;
  }

  public ListReceipts listReceipts() {
    return listReceipts;
  }
}
