package io.actiongovernance;

import io.actiongovernance.approval.Origins;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.People;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.result.Results;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Sleeper;
import io.actiongovernance.time.Timers;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The governed loop from proposal to receipt. The functions and the simulation assemble it over
 * their ports in the same way. Thread-safe.
 */
public final class GovernedLoop {
  private final Reading reading;
  private final Executing executing;
  private final Proposing proposing;

  /** Ports that the loop needs. */
  public record Ports(
      Store store,
      ToolCaller toolCaller,
      Dispatcher dispatcher,
      Timers timers,
      Proposer proposer,
      Approvers approvers,
      Clockwork clockwork) {}

  /**
   * Clock, sleep, identifiers and randomness of the machine, which tests replace.
   *
   * @param beside runs reads in parallel with other work
   */
  public record Clockwork(
      InstantSource clock, Sleeper sleeper, Ids ids, RandomGenerator random, Executor beside) {}

  /**
   * Ports that the loop needs for approvers.
   *
   * @param keys finds who made a key and who owns it
   * @param assertions verifies passkey signatures; its secrets come from the clockwork's randomness
   */
  public record Approvers(
      People people, Origins.KeyMakers keys, Assertions assertions, PeopleTimes times) {}

  /** Collaborators that the loop's three parts share. */
  record Around(
      Ports ports,
      Operators operators,
      Connectors connectors,
      EventLog eventLog,
      Results results,
      AwaitPlan.Bounds waits,
      Transactions transactions) {}

  /**
   * @param waits how many requests, besides approvals and undos, may wait longer than a moment
   */
  public GovernedLoop(
      Ports ports,
      Operators operators,
      Connectors connectors,
      EventLog eventLog,
      Results results,
      AwaitPlan.Bounds waits) {
    Clockwork clockwork = ports.clockwork();
    Around around =
        new Around(
            ports,
            operators,
            connectors,
            eventLog,
            results,
            waits,
            new Transactions(ports.store(), clockwork.sleeper(), clockwork.random()));
    this.reading = new Reading(around);
    this.executing = new Executing(around, reading);
    this.proposing = new Proposing(around, reading, executing);
  }

  public Reading reading() {
    return reading;
  }

  public Executing executing() {
    return executing;
  }

  public Proposing proposing() {
    return proposing;
  }
}
