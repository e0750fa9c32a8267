package io.actiongovernance;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.access.Reach;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.access.WaitSlots.Pool;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.LookForDue;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.event.NewEvent;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.RunApproved;
import io.actiongovernance.kernel.Sweep;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.people.People;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.proposer.ScriptedProposer;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptFilter;
import io.actiongovernance.result.InMemoryResultFiles;
import io.actiongovernance.result.ResultFiles;
import io.actiongovernance.result.Results;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;
import io.actiongovernance.time.InMemoryTimers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The governed loop over the store in memory, with an operator that may refund up to 100 by itself,
 * a source system that does as told, and messages that are delivered when somebody asks: while a
 * request waits, or by {@link #deliver()}.
 */
public final class LoopFixture {
  private static final String GUARDRAILS =
      "'guardrails':[{'name':'small','decision':'ALLOW','tool':'sandbox.payment.*','conditions':"
          + "{'max_value':100}},{'name':'large','decision':'ALERT','tool':'sandbox.payment.*',"
          + "'priority':200}]";

  /** How many requests may wait besides approvals and undos. */
  public static final int WAIT_SLOTS = 50;

  /** As many of all tenants may wait in one function. */
  public static final Pool WAITS_OF_FUNCTION = Pool.ofFunction("retrieve-plan", 120);

  public final Store store;
  public final ConnectorFixture connectors;
  public final TestTime time;
  public final Caller caller;

  /** Who proposes where no event does: another key than the one that decides. */
  public final Caller agent;

  public final Operators operators;
  public final Operator operator;
  public final Connector sandbox;
  public final EventLog eventLog;
  public final GovernedLoop loop;

  /** Keeps what is dispatched, and who is woken. */
  public final Dispatcher dispatcher = new Messages();

  public final InMemoryResultFiles resultFiles = new InMemoryResultFiles();
  public final Results results;
  public final InMemoryTimers timers = new InMemoryTimers();

  /** The calls that the source system saw. */
  public final List<ToolCall> calls = new CopyOnWriteArrayList<>();

  /** What the source system answers. */
  public volatile Function<ToolCall, CallResult> source =
      call -> new CallResult.Applied(Json.object().put("id", "r1"), "r1");

  /** Whether nothing is delivered while somebody waits. */
  public volatile boolean messagesTakeTheirTime;

  /** Who proposes for events. */
  public volatile Proposer proposer = new ScriptedProposer();

  private final ConcurrentLinkedQueue<Runnable> messages = new ConcurrentLinkedQueue<>();

  public LoopFixture() {
    this(new InMemoryStore());
  }

  public LoopFixture(Store store) {
    this(store, new Sealer(List.of(new byte[32]), new SecureRandom()));
  }

  /**
   * @param sealer of results
   */
  public LoopFixture(Store store, Sealer sealer) {
    this.store = store;
    this.connectors = new ConnectorFixture(store);
    this.time = connectors.time;
    this.caller = connectors.caller(null);
    this.agent = connectors.caller(null);
    this.operators =
        new Operators(
            store,
            connectors.transactions,
            time,
            OperatorFixture.rules(connectors.connectors::usable),
            OperatorFixture.FORMS);
    this.sandbox = connectors.installed("{'listing_id':'cn-sandbox','name':'sandbox'}");
    this.eventLog = new EventLog(store, time, time);
    this.results = results(store, sealer, resultFiles, time);
    this.loop =
        new GovernedLoop(
            new GovernedLoop.Ports(
                store,
                this::call,
                dispatcher,
                timers,
                context -> proposer.propose(context),
                approvers(store),
                new GovernedLoop.Clockwork(
                    time, this::sleep, connectors.ids, new Random(7), Runnable::run)),
            operators,
            connectors.connectors,
            eventLog,
            results,
            new AwaitPlan.Bounds(WAIT_SLOTS, WAITS_OF_FUNCTION));
    this.operator = operator("refund-desk", "");
  }

  /** Results under a master key that anybody may know. */
  public static Results results(Store store, ResultFiles files, InstantSource clock) {
    return results(store, new Sealer(List.of(new byte[32]), new SecureRandom()), files, clock);
  }

  private static Results results(
      Store store, Sealer sealer, ResultFiles files, InstantSource clock) {
    return new Results(store, sealer, files, Duration.ofDays(1), clock);
  }

  /** An event in the log, with nothing in its payload. */
  public Event event(String type) {
    return eventLog.append(
        new NewEvent(
            EventId.next(connectors.ids),
            caller.partition(),
            null,
            null,
            "shop",
            type,
            CorrelationId.next(connectors.ids),
            Json.object(),
            null,
            null,
            RequestId.next(connectors.ids),
            caller.principal(),
            null));
  }

  /** An operator with the guardrails of the fixture and more fields. */
  public Operator operator(String name, String more) {
    return OperatorFixture.done(create(name, more));
  }

  /** The same, or why it is refused. */
  public Outcome<Operator> create(String name, String more) {
    String body = "{'name':'" + name + "'," + GUARDRAILS + more + "}";
    return OperatorFixture.create(operators, caller, OperatorId.next(connectors.ids), body);
  }

  private CallResult call(ToolCall call) {
    calls.add(call);
    return source.apply(call);
  }

  /** Somebody waits: that is when the others get their turn, unless messages take their time. */
  private void sleep(Duration duration) {
    if (!messagesTakeTheirTime) {
      deliver();
    }
    time.sleep(duration);
  }

  /** Has the sweeper look at all that is due. */
  public Sweep.Result sweep() {
    List<Sweep.Result> found =
        new LookForDue(store, time)
            .shards(DueIndex.STEPS).stream()
                .map(shard -> loop.executing().sweep().sweep(shard))
                .toList();
    return new Sweep.Result(
        found.stream().mapToInt(Sweep.Result::overdue).sum(),
        found.stream().mapToInt(Sweep.Result::stuck).sum());
  }

  /** Delivers messages until there are none. */
  public void deliver() {
    for (Runnable next = messages.poll(); next != null; next = messages.poll()) {
      next.run();
    }
  }

  /** Loses the messages that are not delivered yet. */
  public void forget() {
    messages.clear();
  }

  /** A refund of an order's amount by the fixture's operator: over 100 it is held. */
  public ProposedAction refund(String order, int amount) {
    return ProposedAction.readAll(
            OperatorFixture.fields(
                ("{'actions':[{'connector':'%s','tool':'sandbox.payment.refund','args':{'order':'%s',"
                        + "'amount':'%d'},'value':%d,'entity_key':'order:%s'}]}")
                    .formatted(sandbox.id(), order, amount, amount, order)),
            "actions")
        .getFirst();
  }

  /** A refund of 5 of order 1, under the idempotency key {@code k}. */
  public ProposedAction refundUnderAKey() {
    return ProposedAction.readAll(
            OperatorFixture.fields(
                ("{'actions':[{'connector':'%s','tool':'sandbox.payment.refund','args':{'order':'1',"
                        + "'amount':'5'},'value':5,'entity_key':'order:1','idempotency_key':'k'}]}")
                    .formatted(sandbox.id())),
            "actions")
        .getFirst();
  }

  /** Has the operator propose; messages stay where they are. */
  public Plan propose(Operator by, ProposedAction... actions) {
    ClaimPlan.TenantState tenantState = loop.proposing().proposePlan().tenantState(by.partition());
    PlanId planId = tenantState.allowance().spread().plan(connectors.ids.next());
    ProposePlan.Origin origin =
        new ProposePlan.Origin(
            by,
            null,
            CorrelationId.next(connectors.ids),
            null,
            ProposedBy.caller(agent),
            planId,
            null,
            ProposerKind.SCRIPT,
            planId.value());
    Outcome<Plan> result =
        loop.proposing()
            .proposePlan()
            .propose(origin, new Proposal.Proposed(null, Arrays.asList(actions)), tenantState);
    return Outcomes.done(result);
  }

  public Plan propose(ProposedAction... actions) {
    return propose(operator, actions);
  }

  public Outcome<RunApproved.Approved> approve(Plan plan) {
    return approve(plan, null);
  }

  public Outcome<RunApproved.Approved> approve(Plan plan, @Nullable List<ActionId> actions) {
    return loop.executing()
        .approvePlan()
        .approve(
            caller,
            new ApprovePlan.Request(
                plan.id(),
                connectors.ids.next(),
                actions,
                "dana",
                null,
                null,
                Duration.ofSeconds(25),
                null))
        .map(LoopFixture::executed);
  }

  /** What an approval came to that claimed its plan. */
  public static RunApproved.Approved executed(ApprovePlan.Answer answer) {
    return ((ApprovePlan.Answer.Executed) answer).approved();
  }

  /** Those who approve: people alone, whose passkeys sign as {@link SignedByHand} does. */
  public static GovernedLoop.Approvers approvers(Store store) {
    return new GovernedLoop.Approvers(
        new People(store),
        (tenant, key) -> Optional.empty(),
        new SignedByHand(),
        new PeopleTimes(
            Duration.ofHours(12),
            Duration.ofHours(1),
            Duration.ofHours(12),
            Duration.ofDays(1),
            Duration.ZERO));
  }

  public Outcome<UndoAction.Answer.Undone> undo(Action action) {
    return askToUndo(caller, action).map(UndoAction.Answer.Undone.class::cast);
  }

  /** The same, where it may be held. */
  public Outcome<UndoAction.Answer> askToUndo(Caller by, Action action) {
    return askToUndo(by, action, ActionId.next(connectors.ids));
  }

  /**
   * The same once more, if it was asked for under this identifier.
   *
   * @param undo of the undo to be
   */
  public Outcome<UndoAction.Answer> askToUndo(Caller by, Action action, ActionId undo) {
    return loop.executing()
        .undoAction()
        .undo(
            by,
            new UndoAction.Request(
                action.id(), undo, "dana", "Paid twice.", Duration.ofSeconds(25)));
  }

  public Plan again(Plan plan) {
    return loop.reading().plans().find(plan.partition(), plan.id()).orElseThrow();
  }

  public Action action(Plan plan, int position) {
    return loop.reading()
        .actions()
        .find(plan.partition(), plan.terms().actionIds().get(position))
        .orElseThrow();
  }

  /** The outcomes of all receipts of a kind, newest first. */
  public List<String> outcomes(Receipt.Kind kind) {
    return receipts().stream()
        .filter(receipt -> kind.wire().equals(receipt.text("kind")))
        .map(receipt -> receipt.outcome().wire())
        .toList();
  }

  /** All receipts but those of the configuration, which the fixture itself leaves. */
  public List<Receipt> receipts() {
    return receipts(Map.of());
  }

  /** Those of them that agree in these fields. */
  public List<Receipt> receipts(Map<ReceiptFilter.Field, String> fields) {
    return loop
        .reading()
        .listReceipts()
        .list(
            caller.partition(),
            new ReceiptFilter(fields, null, null, Reach.WHOLE),
            new PageRequest(100, null))
        .items()
        .stream()
        .filter(receipt -> receipt.kind() != Receipt.Kind.CONFIG)
        .toList();
  }

  private final class Messages implements Dispatcher {
    @Override
    public void dispatch(Dispatch dispatch, long number) {
      messages.add(
          () -> Objects.requireNonNull(loop).executing().executeAction().execute(dispatch));
    }

    @Override
    public void dispatchLater(Dispatch dispatch, Duration pause) {
      // It comes back with the next look of the sweeper.
    }

    @Override
    public void wake(Partition partition, PlanId plan, Duration pause) {
      Instant at = time.instant().plus(pause);
      messages.add(
          () -> {
            if (time.instant().isBefore(at)) {
              time.pass(Duration.between(time.instant(), at));
            }
            loop.executing().runPlan().resume(partition, plan);
          });
    }
  }
}
