package io.actiongovernance;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.action.Actions;
import io.actiongovernance.action.ListActions;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.AwaitDisposal;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.DisposeAction;
import io.actiongovernance.kernel.EffectClaims;
import io.actiongovernance.kernel.EntityLocks;
import io.actiongovernance.kernel.ExecuteAction;
import io.actiongovernance.kernel.FinishPlan;
import io.actiongovernance.kernel.Metering;
import io.actiongovernance.kernel.PlanExpiry;
import io.actiongovernance.kernel.ReserveAllowance;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.kernel.RunPlan;
import io.actiongovernance.kernel.StartPlan;
import io.actiongovernance.kernel.Sweep;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.kernel.WakePlans;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.RetrieveAction;
import io.actiongovernance.plan.RetrieveApproval;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.plan.RetrieveProposal;
import io.actiongovernance.plan.VetoPlan;
import io.actiongovernance.plan.Vetoes;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.ProposalVerdicts;
import io.actiongovernance.proposer.ProposeForAgent;
import io.actiongovernance.proposer.ProposeForEvent;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.proposer.RefusedProposals;
import io.actiongovernance.receipt.ListReceipts;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import io.actiongovernance.time.Timers;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * The governed loop, from proposal to receipt, put together over its ports: once for the functions,
 * and the same way for the simulation. Thread-safe.
 */
public final class GovernedLoop {
  private final ListPlans listPlans;
  private final RetrievePlan retrievePlan;
  private final RetrieveProposal retrieveProposal;
  private final RetrieveApproval retrieveApproval;
  private final RetrieveAction retrieveAction;
  private final ApprovePlan approvePlan;
  private final VetoPlan vetoPlan;
  private final ExpirePlan expirePlan;
  private final ListActions listActions;
  private final Actions actions;
  private final Plans plans;
  private final UndoAction undoAction;
  private final ResolveAction resolveAction;
  private final ListReceipts listReceipts;
  private final ReceiptLedger ledger;
  private final ProposePlan proposePlan;
  private final ProposeForAgent proposeForAgent;
  private final ProposeForEvent proposeForEvent;
  private final RunPlan runPlan;
  private final ExecuteAction executeAction;
  private final PlanExpiry planExpiry;
  private final Sweep sweep;
  private final ReserveAllowance reserveAllowance;
  private final Halts halts;
  private final Metering metering;

  /** What the loop needs of the world. */
  public record Ports(
      Store store,
      ToolCaller toolCaller,
      Dispatcher dispatcher,
      Timers timers,
      Proposer proposer,
      InstantSource clock,
      Sleeper sleeper,
      Ids ids,
      RandomGenerator random) {}

  public GovernedLoop(Ports ports, Operators operators, Connectors connectors, EventLog eventLog) {
    Store store = ports.store();
    InstantSource clock = ports.clock();
    Dispatcher dispatcher = ports.dispatcher();
    Transactions transactions = new Transactions(store, ports.sleeper(), ports.random());
    Allowance allowance = new Allowance(store, clock);
    Budgets budgets = new Budgets(store, clock);
    EntityLocks locks = new EntityLocks(store, clock);
    EffectClaims claims = new EffectClaims(store, transactions);
    Vetoes vetoes = new Vetoes(store);
    this.actions = new Actions(store);
    HaltRegister haltRegister = new HaltRegister(store, clock);
    this.plans = new Plans(store, haltRegister);
    this.ledger = new ReceiptLedger(store);
    AwaitDisposal awaitDisposal = new AwaitDisposal(clock, ports.sleeper());
    CloseActions closeActions =
        new CloseActions(store, transactions, actions, ledger, vetoes, ports.ids());
    this.expirePlan = new ExpirePlan(store, plans, closeActions, haltRegister, clock);
    FinishPlan finishPlan = new FinishPlan(store, actions, locks, closeActions, dispatcher, clock);
    this.reserveAllowance = new ReserveAllowance(allowance, actions, plans, clock);
    CreatePlan createPlan = new CreatePlan(store, transactions, plans, actions, eventLog);
    ClaimPlan claimPlan =
        new ClaimPlan(
            store,
            plans,
            createPlan,
            operators,
            allowance,
            reserveAllowance,
            closeActions,
            transactions,
            ports.ids(),
            clock);
    this.runPlan =
        new RunPlan(
            store,
            plans,
            actions,
            operators,
            claimPlan,
            locks,
            finishPlan,
            dispatcher,
            expirePlan,
            closeActions,
            clock);
    DisposeAction disposeAction =
        new DisposeAction(
            actions, plans, ledger, claims, budgets, allowance, transactions, ports.ids());
    this.executeAction =
        new ExecuteAction(
            store,
            operators,
            connectors,
            budgets,
            claims,
            haltRegister,
            ports.toolCaller(),
            disposeAction,
            finishPlan,
            runPlan,
            dispatcher,
            clock);
    this.resolveAction =
        new ResolveAction(actions, plans, claims, ledger, allowance, disposeAction, transactions);
    this.approvePlan =
        new ApprovePlan(plans, actions, claimPlan, runPlan, awaitDisposal, ports.ids(), clock);
    this.undoAction =
        new UndoAction(
            actions,
            plans,
            operators,
            connectors,
            allowance,
            reserveAllowance,
            budgets,
            haltRegister,
            transactions,
            executeAction,
            dispatcher,
            awaitDisposal,
            ports.ids(),
            clock);
    this.proposePlan =
        new ProposePlan(
            plans,
            createPlan,
            connectors,
            new ProposalVerdicts(budgets),
            new RefusedProposals(ledger, createPlan, transactions, ports.ids()),
            new StartPlan(createPlan, claimPlan, runPlan, eventLog),
            ports.ids());
    this.proposeForEvent =
        new ProposeForEvent(
            store,
            eventLog,
            operators,
            connectors,
            vetoes,
            ports.proposer(),
            proposePlan,
            new ProposalRequests(store, clock),
            ports.ids());
    this.planExpiry = new PlanExpiry(plans, runPlan, ports.timers(), clock);
    this.sweep =
        new Sweep(
            store,
            plans,
            actions,
            haltRegister,
            locks,
            runPlan,
            planExpiry,
            executeAction,
            dispatcher,
            clock);
    this.listPlans = new ListPlans(store, clock, expirePlan, haltRegister);
    this.retrievePlan = new RetrievePlan(store, plans, actions, operators, connectors, expirePlan);
    this.retrieveAction = new RetrieveAction(actions, plans, retrievePlan);
    this.proposeForAgent =
        new ProposeForAgent(
            operators,
            eventLog,
            proposePlan,
            new AwaitPlan(plans, awaitDisposal, clock),
            retrievePlan,
            clock);
    this.retrieveProposal = new RetrieveProposal(store, plans, actions);
    this.retrieveApproval = new RetrieveApproval(store);
    this.vetoPlan = new VetoPlan(store, plans, closeActions, clock);
    this.listActions = new ListActions(store);
    this.listReceipts = new ListReceipts(store);
    WakePlans wakePlans = new WakePlans(plans, dispatcher);
    this.metering = new Metering(allowance, wakePlans, clock);
    this.halts =
        new Halts(
            store,
            haltRegister,
            transactions,
            ledger,
            operators,
            connectors,
            partition -> wakePlans.waitingOn(partition, WaitingOn.EXECUTION),
            ports.ids(),
            clock,
            ports.sleeper());
  }

  public Metering metering() {
    return metering;
  }

  public Halts halts() {
    return halts;
  }

  public ListPlans listPlans() {
    return listPlans;
  }

  public RetrievePlan retrievePlan() {
    return retrievePlan;
  }

  public RetrieveProposal retrieveProposal() {
    return retrieveProposal;
  }

  public RetrieveApproval retrieveApproval() {
    return retrieveApproval;
  }

  public RetrieveAction retrieveAction() {
    return retrieveAction;
  }

  public ApprovePlan approvePlan() {
    return approvePlan;
  }

  public VetoPlan vetoPlan() {
    return vetoPlan;
  }

  public ExpirePlan expirePlan() {
    return expirePlan;
  }

  public Plans plans() {
    return plans;
  }

  public ListActions listActions() {
    return listActions;
  }

  public Actions actions() {
    return actions;
  }

  public ResolveAction resolveAction() {
    return resolveAction;
  }

  public UndoAction undoAction() {
    return undoAction;
  }

  public ListReceipts listReceipts() {
    return listReceipts;
  }

  public ReceiptLedger ledger() {
    return ledger;
  }

  public ProposePlan proposePlan() {
    return proposePlan;
  }

  public ProposeForAgent proposeForAgent() {
    return proposeForAgent;
  }

  public ProposeForEvent proposeForEvent() {
    return proposeForEvent;
  }

  public RunPlan runPlan() {
    return runPlan;
  }

  public ExecuteAction executeAction() {
    return executeAction;
  }

  public PlanExpiry planExpiry() {
    return planExpiry;
  }

  public Sweep sweep() {
    return sweep;
  }

  public ReserveAllowance reserveAllowance() {
    return reserveAllowance;
  }
}
