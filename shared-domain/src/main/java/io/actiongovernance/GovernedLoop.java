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
 * The governed loop, from proposal to receipt, put together over its ports: once for the functions,
 * and the same way for the simulation. Thread-safe.
 */
public final class GovernedLoop {
  private final Reading reading;
  private final Executing executing;
  private final Proposing proposing;

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

  /** What its three parts are made over. */
  record Around(
      Ports ports,
      Operators operators,
      Connectors connectors,
      EventLog eventLog,
      Results results,
      AwaitPlan.Bounds waits,
      Transactions transactions) {}

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
