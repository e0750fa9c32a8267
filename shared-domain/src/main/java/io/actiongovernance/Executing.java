package io.actiongovernance;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.action.Actions;
import io.actiongovernance.approval.ApprovalDefaults;
import io.actiongovernance.approval.ApprovalEvaluations;
import io.actiongovernance.approval.Ballots;
import io.actiongovernance.approval.Edits;
import io.actiongovernance.approval.Origins;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.halt.HaltTargets;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.halt.StoredHalts;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.CallTool;
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
import io.actiongovernance.kernel.HoldUndo;
import io.actiongovernance.kernel.Intents;
import io.actiongovernance.kernel.LeftLocks;
import io.actiongovernance.kernel.LoadApproval;
import io.actiongovernance.kernel.LoadExecution;
import io.actiongovernance.kernel.LostActions;
import io.actiongovernance.kernel.LostClaims;
import io.actiongovernance.kernel.Metering;
import io.actiongovernance.kernel.PlanExpiry;
import io.actiongovernance.kernel.ReserveLimits;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.kernel.RunApproved;
import io.actiongovernance.kernel.RunNextPlan;
import io.actiongovernance.kernel.RunPlan;
import io.actiongovernance.kernel.RunUnheldPlan;
import io.actiongovernance.kernel.SlottedWait;
import io.actiongovernance.kernel.StuckPlans;
import io.actiongovernance.kernel.Sweep;
import io.actiongovernance.kernel.SweepPlan;
import io.actiongovernance.kernel.SweepUndo;
import io.actiongovernance.kernel.TransferLock;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.kernel.UndoneMeanwhile;
import io.actiongovernance.kernel.WakePlans;
import io.actiongovernance.kernel.WhyRefused;
import io.actiongovernance.kernel.WriteClaim;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.VetoPlan;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * The kernel: the use cases that claim, approve, run, end, undo, sweep and halt plans. Thread-safe.
 */
public final class Executing {
  private final Budgets budgets;
  private final FinishPlan finishPlan;
  private final CreatePlan createPlan;
  private final ClaimPlan claimPlan;
  private final RunUnheldPlan runUnheldPlan;
  private final RunPlan runPlan;
  private final ExecuteAction executeAction;
  private final ResolveAction resolveAction;
  private final ApprovalDefaults approvalDefaults;
  private final PlanApprovals planApprovals;
  private final ApprovePlan approvePlan;
  private final UndoAction undoAction;
  private final PlanExpiry planExpiry;
  private final Sweep sweep;
  private final VetoPlan vetoPlan;
  private final LostClaims lostClaims;
  private final LostActions lostActions;
  private final Metering metering;
  private final Halts halts;

  Executing(GovernedLoop.Around around, Reading reading) {
    Store store = around.ports().store();
    GovernedLoop.Ports ports = around.ports();
    Operators operators = around.operators();
    Connectors connectors = around.connectors();
    Transactions transactions = around.transactions();
    GovernedLoop.Approvers approvers = around.ports().approvers();
    InstantSource clock = around.ports().clockwork().clock();
    Ids ids = around.ports().clockwork().ids();
    RandomGenerator random = around.ports().clockwork().random();
    Dispatcher dispatcher = around.ports().dispatcher();
    Actions actions = reading.actions();
    Plans plans = reading.plans();
    ExpirePlan expirePlan = reading.expirePlan();
    HaltRegister haltRegister = reading.haltRegister();
    PlannedActions planned = reading.planned();
    SlottedWait slottedWait = reading.slottedWait();
    CloseActions closeActions = reading.closeActions();
    Allowance allowance = new Allowance(store, transactions, random, clock);
    this.budgets = new Budgets(store, transactions, random, clock);
    EntityLocks locks = new EntityLocks(store, clock);
    EffectClaims claims = new EffectClaims(store);
    this.finishPlan = new FinishPlan(store, actions, locks, closeActions, dispatcher, clock);
    this.createPlan = new CreatePlan(store, transactions, plans, around.eventLog());
    UndoneMeanwhile undoneMeanwhile = new UndoneMeanwhile(actions, clock);
    WhyRefused whyRefused =
        new WhyRefused(undoneMeanwhile, new LeftLocks(store, plans, actions, clock), locks);
    this.claimPlan =
        new ClaimPlan(
            store,
            operators,
            plans,
            createPlan,
            new WriteClaim(plans, allowance, closeActions, whyRefused, transactions),
            clock);
    this.runUnheldPlan = new RunUnheldPlan(store, operators, claimPlan, locks, finishPlan, clock);
    this.runPlan = new RunPlan(store, planned, runUnheldPlan, expirePlan, closeActions, finishPlan);
    RunNextPlan runNextPlan = new RunNextPlan(locks, runPlan, dispatcher);
    DisposeAction disposeAction =
        new DisposeAction(planned, claims, budgets, allowance, transactions, ids);
    this.executeAction =
        new ExecuteAction(
            new LoadExecution(store, operators, connectors, clock),
            new ReserveLimits(store, budgets),
            new Intents(claims, actions, budgets, transactions, ids),
            new CallTool(store, ports.toolCaller(), around.results(), clock),
            new EndExecution(
                disposeAction,
                finishPlan,
                new TransferLock(
                    locks, claimPlan, finishPlan, dispatcher, ports.clockwork().beside(), clock),
                runNextPlan,
                dispatcher),
            clock);
    this.resolveAction = new ResolveAction(planned, claims, disposeAction, transactions);
    RunApproved runApproved = new RunApproved(planned, finishPlan, slottedWait, clock);
    this.approvalDefaults = new ApprovalDefaults(store, transactions, clock);
    ApprovalEvaluations evaluations =
        new ApprovalEvaluations(
            new Origins(approvers.keys()),
            new Edits(reading.ledger()),
            approvalDefaults,
            approvers.times());
    Ballots ballots = new Ballots(store, approvers.assertions(), ids, clock, random);
    this.planApprovals =
        new PlanApprovals(
            planned,
            operators,
            new PlanApprovals.Collaborators(evaluations, ballots, approvers.people()),
            transactions,
            clock);
    this.approvePlan =
        new ApprovePlan(
            planned,
            new LoadApproval(claimPlan, evaluations, ballots, approvers.people(), ids, clock),
            claimPlan,
            runApproved,
            transactions,
            clock);
    this.undoAction =
        new UndoAction(
            planned,
            claimPlan,
            new UndoAction.Collaborators(
                new DraftUndo(connectors, budgets, clock),
                new ClaimUndo(
                    allowance, whyRefused, transactions, executeAction, dispatcher, clock),
                new HoldUndo(plans, createPlan, undoneMeanwhile, clock)),
            slottedWait,
            clock);
    this.planExpiry = new PlanExpiry(plans, runPlan, ports.timers(), clock);
    this.sweep =
        new Sweep(
            store,
            new SweepPlan(store, planned, executeAction, planExpiry, runPlan, clock),
            new StuckPlans(actions, haltRegister, clock),
            new SweepUndo(store, actions, dispatcher, clock),
            runNextPlan,
            clock);
    this.vetoPlan = new VetoPlan(store, planned, closeActions, clock);
    this.lostClaims =
        new LostClaims(store, planned, expirePlan, reading.listReceipts(), claims, clock);
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
            around.ports().clockwork().sleeper());
  }

  public Budgets budgets() {
    return budgets;
  }

  FinishPlan finishPlan() {
    return finishPlan;
  }

  CreatePlan createPlan() {
    return createPlan;
  }

  ClaimPlan claimPlan() {
    return claimPlan;
  }

  RunUnheldPlan runUnheldPlan() {
    return runUnheldPlan;
  }

  public RunPlan runPlan() {
    return runPlan;
  }

  public ExecuteAction executeAction() {
    return executeAction;
  }

  public ResolveAction resolveAction() {
    return resolveAction;
  }

  public ApprovalDefaults approvalDefaults() {
    return approvalDefaults;
  }

  public PlanApprovals planApprovals() {
    return planApprovals;
  }

  public ApprovePlan approvePlan() {
    return approvePlan;
  }

  public UndoAction undoAction() {
    return undoAction;
  }

  public PlanExpiry planExpiry() {
    return planExpiry;
  }

  public Sweep sweep() {
    return sweep;
  }

  public VetoPlan vetoPlan() {
    return vetoPlan;
  }

  public LostClaims lostClaims() {
    return lostClaims;
  }

  public LostActions lostActions() {
    return lostActions;
  }

  public Metering metering() {
    return metering;
  }

  public Halts halts() {
    return halts;
  }
}
