package io.actiongovernance.simulation;

import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.LookForDue;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.id.EventId;
import io.actiongovernance.proposer.MissedEvents;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.RunDueOperators;
import io.actiongovernance.simulation.Faults.Fault;
import io.actiongovernance.simulation.Faults.SendFailed;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The way from the log to the proposer: a relay that hands each event on, twice, and marks it; a
 * stream that forgets some changes before they are relayed; and the sweeper, which hands on what
 * was missed.
 */
final class Relay {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** A message stays in its queue until it is handled. */
  private static final int RECEIVES = 40;

  /** One in so many changes is forgotten. */
  private static final int FORGETS = 4;

  private final World world;
  private final HandedOn handedOn;
  private final RunDueOperators runDueOperators;

  /** Of runs with events alone: all others are the runs that they were without. */
  private @Nullable SplittableRandom random;

  /** Events whose changes were forgotten, and that nobody has proposed for yet. */
  private final Set<EventId> forgotten = new LinkedHashSet<>();

  Relay(World world, Store store) {
    this.world = world;
    this.handedOn = new HandedOn(store, world.scheduler, world.scheduler::sleep);
    this.runDueOperators =
        new RunDueOperators(
            store,
            new ProposalRequests(store, world.scheduler),
            new MissedEvents(store, handedOn, (_, events) -> handOn(events)),
            new Transactions(store, world.scheduler::sleep, new SplittableRandom(1)),
            world.scheduler);
  }

  /** Has an event relayed, or its change forgotten. */
  void ingested(Event event) {
    SplittableRandom chance = random;
    if (chance == null) {
      chance = new SplittableRandom(world.random.nextLong());
      random = chance;
    }
    if (chance.nextInt(FORGETS) == 0) {
      forgotten.add(event.id());
      return;
    }
    for (int times = 0; times < 2; times++) {
      world.request(
          Duration.ofMillis(chance.nextInt(1, 200)),
          "relay " + event.id(),
          5,
          () -> {
            handOn(List.of(event.id()));
            handedOn.mark(world.tenancy.partition, List.of(event.position()));
          });
    }
  }

  /** Sends events to the queue, which loses nothing that it has taken. */
  private void handOn(List<EventId> events) {
    Fault fault = world.faultAtCall();
    if (fault == Fault.DIE_BEFORE) {
      throw new Crash("before handing on");
    }
    if (fault == Fault.FAIL_BEFORE) {
      throw new SendFailed();
    }
    events.forEach(this::proposeFor);
    if (fault == Fault.DIE_AFTER) {
      throw new Crash("after handing on");
    }
    if (fault == Fault.LOSE_REPLY) {
      throw new SendFailed();
    }
  }

  private void proposeFor(EventId event) {
    world.request(
        Duration.ofMillis(30),
        "propose for " + event,
        RECEIVES,
        () -> {
          world.loop().proposing().proposeForEvent().propose(world.tenancy.partition, event);
          forgotten.remove(event);
        });
  }

  /** Sweeps the shards in which something is due. */
  void sweep() {
    if (random != null) {
      for (int shard : new LookForDue(world.inner, world.scheduler).shards(DueIndex.SCHEDULES)) {
        world.scheduler.start("hand on", TIMEOUT, () -> runDueOperators.run(shard), () -> {});
      }
    }
  }

  /** The events that nobody has proposed for, since the stream forgot them. */
  Set<EventId> forgotten() {
    return forgotten;
  }
}
