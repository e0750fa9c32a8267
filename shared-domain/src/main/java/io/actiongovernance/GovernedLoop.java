package io.actiongovernance;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.action.Actions;
import io.actiongovernance.action.ListActions;
import io.actiongovernance.approval.ApprovalDefaults;
import io.actiongovernance.approval.Ballots;
import io.actiongovernance.approval.Cases;
import io.actiongovernance.approval.Edits;
import io.actiongovernance.approval.Origins;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.gateway.GovernedCalls;
import io.actiongovernance.gateway.RememberedCalls;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.halt.HaltTargets;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.halt.StoredHalts;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.CallTool;
import io.actiongovernance.kernel.CastVote;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.kernel.ClaimUndo;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.DisposeAction;
import io.actiongovernance.kernel.DraftUndo;
import io.actiongovernance.kernel.EffectClaims;
import io.actiongovernance.kernel.EndExecution;
import io.actiongovernance.kernel.EntityLocks;
import io.actiongovernance.kernel.ExecuteAction;
import io.actiongovernance.kernel.FinishPlan;
import io.actiongovernance.kernel.HandOver;
import io.actiongovernance.kernel.HoldUndo;
import io.actiongovernance.kernel.Intents;
import io.actiongovernance.kernel.LeftLocks;
import io.actiongovernance.kernel.LoadExecution;
import io.actiongovernance.kernel.LostActions;
import io.actiongovernance.kernel.LostClaims;
import io.actiongovernance.kernel.Metering;
import io.actiongovernance.kernel.PlanExpiry;
import io.actiongovernance.kernel.ReserveLimits;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.kernel.RetrieveOnceDisposed;
import io.actiongovernance.kernel.RunApproved;
import io.actiongovernance.kernel.RunNextPlan;
import io.actiongovernance.kernel.RunPlan;
import io.actiongovernance.kernel.RunUnheldPlan;
import io.actiongovernance.kernel.SlottedWait;
import io.actiongovernance.kernel.StartPlan;
import io.actiongovernance.kernel.StuckPlans;
import io.actiongovernance.kernel.Sweep;
import io.actiongovernance.kernel.SweepPlan;
import io.actiongovernance.kernel.SweepUndo;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.kernel.UndoneMeanwhile;
import io.actiongovernance.kernel.WakePlans;
import io.actiongovernance.kernel.WhyRefused;
import io.actiongovernance.kernel.WriteClaim;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.People;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.RetrieveAction;
import io.actiongovernance.plan.RetrieveApproval;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.plan.RetrieveProposal;
import io.actiongovernance.plan.RetrieveResult;
import io.actiongovernance.plan.StoredAncestry;
import io.actiongovernance.plan.SupersedePlan;
import io.actiongovernance.plan.VetoPlan;
import io.actiongovernance.plan.Vetoes;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.proposer.AmendPlan;
import io.actiongovernance.proposer.AskProposer;
import io.actiongovernance.proposer.EvaluateProposal;
import io.actiongovernance.proposer.ParkedProposals;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.ProposeForAgent;
import io.actiongovernance.proposer.ProposeForEvent;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.proposer.RefusedProposals;
import io.actiongovernance.proposer.WatchedEvents;
import io.actiongovernance.receipt.ListReceipts;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.result.Results;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import io.actiongovernance.time.Timers;
import java.time.InstantSource;
import java.util.concurrent.Executor;
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
  private final RetrieveResult retrieveResult;
  private final RetrieveOnceDisposed retrieveOnceDisposed;
  private final AwaitPlan awaitPlan;
  private final ApprovePlan approvePlan;
  private final ApprovalDefaults approvalDefaults;
  private final PlanApprovals planApprovals;
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
  private final AmendPlan amendPlan;
  private final GovernedCalls governedCalls;
  private final RunPlan runPlan;
  private final ExecuteAction executeAction;
  private final PlanExpiry planExpiry;
  private final LostClaims lostClaims;
  private final LostActions lostActions;
  private final Sweep sweep;
  private final Budgets budgets;
  private final Halts halts;
  private final Metering metering;

  /** What the loop needs of the world. */
  public record Ports(
      Store store,
      ToolCaller toolCaller,
      Dispatcher dispatcher,
      Timers timers,
      Proposer proposer,
      Approvers approvers,
      Clockwork clockwork) {}

  /**
   * What a machine has, and a test gives in its place: time, sleep, identifiers and chance.
   *
   * @param beside has something read while something else goes on
   */
  public record Clockwork(
      InstantSource clock, Sleeper sleeper, Ids ids, RandomGenerator random, Executor beside) {}

  /**
   * What the loop needs to know of those who approve.
   *
   * @param keys who is behind a key
   * @param assertions judges what passkeys sign; its secrets are chance's of the clockwork
   */
  public record Approvers(
      People people, Origins.KeyMakers keys, Assertions assertions, PeopleTimes times) {}

  /**
   * @param waits how many requests, besides approvals and undos, may wait for longer than a moment
   */
  public GovernedLoop(
      Ports ports,
      Operators operators,
      Connectors connectors,
      EventLog eventLog,
      Results results,
      AwaitPlan.Bounds waits) {
    Store store = ports.store();
    Approvers approvers = ports.approvers();
    InstantSource clock = ports.clockwork().clock();
    Sleeper sleeper = ports.clockwork().sleeper();
    Ids ids = ports.clockwork().ids();
    Dispatcher dispatcher = ports.dispatcher();
    Transactions transactions = new Transactions(store, sleeper, ports.clockwork().random());
    RandomGenerator random = ports.clockwork().random();
    Allowance allowance = new Allowance(store, transactions, random, clock);
    this.budgets = new Budgets(store, transactions, random, clock);
    EntityLocks locks = new EntityLocks(store, clock);
    EffectClaims claims = new EffectClaims(store);
    Vetoes vetoes = new Vetoes(store);
    this.actions = new Actions(store);
    HaltRegister haltRegister = new HaltRegister(store, clock);
    this.plans = new Plans(store, haltRegister);
    this.ledger = new ReceiptLedger(store);
    SlottedWait wait = new SlottedWait(new WaitSlots(store, clock, random), ids, clock, sleeper);
    CloseActions closeActions = new CloseActions(store, transactions, actions, vetoes, ids);
    this.expirePlan = new ExpirePlan(store, plans, closeActions, haltRegister, clock);
    FinishPlan finishPlan = new FinishPlan(store, actions, locks, closeActions, dispatcher, clock);
    PlannedActions planned = new PlannedActions(plans, actions);
    CreatePlan createPlan = new CreatePlan(store, transactions, plans, eventLog);
    UndoneMeanwhile undoneMeanwhile = new UndoneMeanwhile(actions, clock);
    WhyRefused whyRefused =
        new WhyRefused(undoneMeanwhile, new LeftLocks(store, plans, actions, clock), locks);
    ClaimPlan claimPlan =
        new ClaimPlan(
            store,
            operators,
            plans,
            createPlan,
            new WriteClaim(plans, allowance, closeActions, whyRefused, transactions),
            clock);
    RunUnheldPlan runUnheldPlan =
        new RunUnheldPlan(store, operators, claimPlan, locks, finishPlan, clock);
    this.runPlan = new RunPlan(store, planned, runUnheldPlan, expirePlan, closeActions, finishPlan);
    RunNextPlan runNextPlan = new RunNextPlan(locks, runPlan, dispatcher);
    DisposeAction disposeAction =
        new DisposeAction(planned, claims, budgets, allowance, transactions, ids);
    this.executeAction =
        new ExecuteAction(
            new LoadExecution(store, operators, connectors, clock),
            new ReserveLimits(store, budgets),
            new Intents(claims, actions, budgets, transactions, ids),
            new CallTool(store, ports.toolCaller(), results, clock),
            new EndExecution(
                disposeAction,
                finishPlan,
                new HandOver(
                    locks, claimPlan, finishPlan, dispatcher, ports.clockwork().beside(), clock),
                runNextPlan,
                dispatcher),
            clock);
    this.resolveAction = new ResolveAction(planned, claims, disposeAction, transactions);
    RunApproved runApproved = new RunApproved(planned, claimPlan, finishPlan, wait, clock);
    this.approvalDefaults = new ApprovalDefaults(store, transactions, clock);
    Cases cases =
        new Cases(
            new Origins(approvers.keys()), new Edits(ledger), approvalDefaults, approvers.times());
    Ballots ballots = new Ballots(store, approvers.assertions(), ids, clock, random);
    this.planApprovals =
        new PlanApprovals(
            planned,
            operators,
            new PlanApprovals.Parts(cases, ballots, approvers.people()),
            transactions,
            clock);
    this.approvePlan =
        new ApprovePlan(
            planned,
            cases,
            new CastVote(
                planned,
                new CastVote.Parts(cases, ballots, approvers.people()),
                runApproved,
                transactions,
                ids,
                clock),
            runApproved,
            ids,
            clock);
    this.undoAction =
        new UndoAction(
            planned,
            claimPlan,
            new UndoAction.Parts(
                new DraftUndo(connectors, budgets, clock),
                new ClaimUndo(
                    allowance, whyRefused, transactions, executeAction, dispatcher, clock),
                new HoldUndo(plans, createPlan, undoneMeanwhile, clock)),
            wait,
            clock);
    StartPlan startPlan =
        new StartPlan(planned, createPlan, claimPlan, runUnheldPlan, finishPlan, eventLog);
    this.proposePlan =
        new ProposePlan(
            connectors,
            new EvaluateProposal(budgets),
            new RefusedProposals(createPlan, transactions, ids),
            startPlan,
            approvalDefaults,
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
                vetoes,
                ports.proposer(),
                proposePlan,
                new ParkedProposals(store, transactions, requests, clock),
                ids));
    this.planExpiry = new PlanExpiry(plans, runPlan, ports.timers(), clock);
    this.sweep =
        new Sweep(
            store,
            new SweepPlan(store, planned, executeAction, planExpiry, runPlan, clock),
            new StuckPlans(actions, haltRegister, clock),
            new SweepUndo(store, actions, dispatcher, clock),
            runNextPlan,
            clock);
    this.listPlans = new ListPlans(store, plans, clock, expirePlan, haltRegister, eventLog);
    this.retrievePlan = new RetrievePlan(store, plans, actions, operators, connectors, expirePlan);
    this.retrieveAction = new RetrieveAction(actions, plans, retrievePlan);
    this.retrieveResult = new RetrieveResult(actions, plans, results);
    this.awaitPlan = new AwaitPlan(planned, expirePlan, wait, waits, clock);
    this.retrieveOnceDisposed = new RetrieveOnceDisposed(retrievePlan, retrieveAction, awaitPlan);
    this.proposeForAgent =
        new ProposeForAgent(operators, eventLog, proposePlan, awaitPlan, retrievePlan, clock);
    this.amendPlan =
        new AmendPlan(
            operators,
            connectors,
            eventLog,
            planned,
            new AmendPlan.Parts(
                proposePlan,
                startPlan,
                new SupersedePlan(plans, createPlan, closeActions, clock),
                retrievePlan),
            clock);
    this.governedCalls =
        new GovernedCalls(
            new GovernedCalls.Parts(
                proposePlan, awaitPlan, expirePlan, plans, actions, haltRegister),
            new RememberedCalls(store, clock),
            clock);
    this.retrieveProposal = new RetrieveProposal(store, plans, actions);
    this.retrieveApproval = new RetrieveApproval(store);
    this.vetoPlan = new VetoPlan(store, planned, closeActions, clock);
    this.listActions = new ListActions(store, actions, ledger, planned::actionIds);
    this.listReceipts = new ListReceipts(store, new StoredAncestry(planned, eventLog));
    this.lostClaims = new LostClaims(store, planned, expirePlan, listReceipts, claims, clock);
    this.lostActions = new LostActions(store, actions, transactions, ids, clock);
    WakePlans wakePlans = new WakePlans(plans, dispatcher);
    this.metering = new Metering(allowance, wakePlans, clock);
    this.halts =
        new Halts(
            new StoredHalts(store, haltRegister, transactions),
            new HaltTargets(operators, connectors),
            partition -> wakePlans.waitingOn(partition, WaitingOn.EXECUTION),
            ids,
            clock,
            sleeper);
  }

  public Budgets budgets() {
    return budgets;
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

  public RetrieveOnceDisposed retrieveOnceDisposed() {
    return retrieveOnceDisposed;
  }

  public AwaitPlan awaitPlan() {
    return awaitPlan;
  }

  public RetrieveResult retrieveResult() {
    return retrieveResult;
  }

  public ApprovePlan approvePlan() {
    return approvePlan;
  }

  public PlanApprovals planApprovals() {
    return planApprovals;
  }

  public ApprovalDefaults approvalDefaults() {
    return approvalDefaults;
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

  public AmendPlan amendPlan() {
    return amendPlan;
  }

  /** Calls of tools, each a plan of its own. */
  public GovernedCalls governedCalls() {
    return governedCalls;
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

  public LostClaims lostClaims() {
    return lostClaims;
  }

  public LostActions lostActions() {
    return lostActions;
  }

  public Sweep sweep() {
    return sweep;
  }
}
