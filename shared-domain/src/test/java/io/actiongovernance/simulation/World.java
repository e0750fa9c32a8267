package io.actiongovernance.simulation;

import io.actiongovernance.GovernedLoop;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.LookForDue;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.result.InMemoryResultFiles;
import io.actiongovernance.result.Results;
import io.actiongovernance.simulation.Faults.Fault;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.InMemoryTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run's world: the real use cases over simulated ports, and who calls them. What happens in it
 * depends on its seed and its faults alone.
 */
final class World {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(29);
  private static final Duration SWEEP_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration SWEEP_EVERY = Duration.ofMinutes(1);

  /** A run in which something is not over by then hangs. */
  static final Duration LONGEST = Duration.ofMinutes(60);

  /** A run that calls the ports more often goes on without end: others make 2,000 at most. */
  static final int MOST_CALLS = 50_000;

  final Tenancy tenancy;
  final Mutant mutant;
  final SplittableRandom random;
  final Scheduler scheduler;
  final Faults faults;
  final InMemoryStore inner;
  final Queues queues;
  final Upstream upstream;
  final Ids ids;
  final EventLog eventLog;
  final Operators operators;
  final Connectors connectors;
  final Results results;
  final Map<EventId, Proposal> proposals = new HashMap<>();
  final @Nullable Telling telling;
  final Relay relay;
  private final GovernedLoop loop;
  final Instant start;
  private int clients;

  /** How likely a call is answered with a failure, with silence, or not made yet. */
  double failing;

  double losing;

  /** How likely it acts and answers with a status 500. */
  double erring;

  double pacing;

  /**
   * How likely the source system takes nearly as long as a first try may; and an executor, at a
   * quarter of that, comes to its call when most of its time is over.
   */
  double slow;

  /** How likely a read of several items is not of one moment. */
  double tearing;

  /** How likely a message that was handled comes once more. */
  double repeating;

  /** Whether the sweeper sweeps. */
  boolean sweeping = true;

  /**
   * @param start when it begins
   * @param switching how likely a process loses its turn at a call
   */
  World(
      Tenancy tenancy,
      SplittableRandom random,
      Faults faults,
      Instant start,
      double switching,
      Mutant mutant) {
    this.tenancy = tenancy;
    this.mutant = mutant;
    this.random = random;
    this.faults = faults;
    this.start = start;
    this.scheduler = new Scheduler(random.split(), switching, start);
    this.inner = tenancy.store();
    this.queues = new Queues(this);
    this.upstream = new Upstream(this);
    this.ids = new Ids(scheduler, random.split());
    Store store = mutant.store(new FaultyStore(inner, this), this);
    this.telling =
        mutant.tells() ? new Telling(this, store, new SplittableRandom(random.nextLong())) : null;
    ToolCaller toolCaller = mutant.toolCaller(upstream, this);
    Dispatcher dispatcher = mutant.dispatcher(queues, this);
    this.connectors = new Connectors(store, tenancy.listings);
    this.operators =
        new Operators(
            store,
            new Transactions(store, scheduler::sleep, random.split()),
            scheduler,
            OperatorFixture.rules(connectors::usable),
            OperatorFixture.FORMS);
    this.eventLog = new EventLog(store, scheduler, scheduler::sleep);
    this.relay = new Relay(this, store);
    this.results = LoopFixture.results(store, new InMemoryResultFiles(), scheduler);
    this.loop =
        new GovernedLoop(
            new GovernedLoop.Ports(
                store,
                toolCaller,
                dispatcher,
                new InMemoryTimers(),
                context ->
                    Proposer.Answer.unasked(
                        context.event() == null
                            ? new Proposal.Nothing()
                            : proposals.getOrDefault(context.event().id(), new Proposal.Nothing())),
                LoopFixture.approvers(store),
                new GovernedLoop.Clockwork(
                    scheduler, scheduler::sleep, ids, random.split(), Runnable::run)),
            operators,
            connectors,
            eventLog,
            results,
            new AwaitPlan.Bounds(LoopFixture.WAIT_SLOTS, null));
  }

  GovernedLoop loop() {
    return loop;
  }

  /** Whether a month ends in this run. */
  boolean monthEnds() {
    return !Run.month(start).equals(Run.month(scheduler.instant()));
  }

  boolean chance(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }

  /** Makes a write; what it changes is told of, where outcomes are told. */
  <T> T written(List<Key> keys, Supplier<T> write) {
    return telling == null ? write.get() : telling.watch(keys, write);
  }

  /** A call of a port begins. */
  @Nullable Fault faultAtCall() {
    if (scheduler.running().outside()) {
      return null;
    }
    scheduler.pause();
    if (faults.calls() > MOST_CALLS) {
      throw new Crash("without end");
    }
    return faults.next();
  }

  /** Has somebody make a request after a while, and again if it is not answered. */
  void request(Duration delay, String name, int tries, Runnable request) {
    clients++;
    scheduler.after(delay, () -> attempt(name, tries, request));
  }

  private void attempt(String name, int tries, Runnable request) {
    boolean[] answered = {false};
    scheduler.start(
        name,
        REQUEST_TIMEOUT,
        () -> {
          request.run();
          answered[0] = true;
        },
        () -> {
          if (answered[0] || tries == 1) {
            clients--;
          } else {
            Duration pause = Duration.ofMillis(random.nextInt(500, 8_000));
            scheduler.after(pause, () -> attempt(name, tries - 1, request));
          }
        });
  }

  /** Runs until all is over. */
  void run() {
    if (sweeping) {
      scheduler.after(Duration.ofSeconds(random.nextInt(1, 60)), this::sweepTick);
    }
    scheduler.runUntil(start.plus(LONGEST).plus(SWEEP_EVERY));
  }

  private void sweepTick() {
    boolean due =
        !relay.forgotten().isEmpty()
            || inner.everything().stream()
                .anyMatch(item -> DueIndex.isIn(item) && !HandedOn.isOne(item));
    relay.sweep();
    for (int shard : new LookForDue(inner, scheduler).shards(DueIndex.STEPS)) {
      scheduler.start(
          "sweep", SWEEP_TIMEOUT, () -> loop.executing().sweep().sweep(shard), () -> {});
    }
    boolean over = !due && clients == 0 && queues.messages == 0 && scheduler.processes() == 0;
    if (!over && scheduler.instant().isBefore(start.plus(LONGEST))) {
      scheduler.after(SWEEP_EVERY, this::sweepTick);
    }
  }
}
