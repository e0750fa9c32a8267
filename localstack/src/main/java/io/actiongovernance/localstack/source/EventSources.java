package io.actiongovernance.localstack.source;

import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Source.Invocation;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Source.Timed;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.localstack.aws.EmbeddedDynamo;
import io.actiongovernance.localstack.aws.EmbeddedSqs;
import io.actiongovernance.localstack.lambda.EventSource;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.states.MachineRunner;
import io.actiongovernance.localstack.states.StepFunctions;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.time.TimerKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Event sources of the functions that are not started by HTTP requests. Only one thread may start
 * and stop them.
 */
public final class EventSources {
  /**
   * Longest interval of a schedule. AWS runs nothing more often than every minute. Here, work that
   * a restart left unfinished is resumed sooner. A shorter interval would keep an idle machine
   * busy.
   */
  private static final Duration LONGEST_RATE = Duration.ofSeconds(5);

  /**
   * Factor of the executor's concurrency, like an environment's scale. It leaves room for other
   * calls while some wait for slow source systems.
   */
  private static final int EXECUTOR_SCALE = 4;

  private final EmbeddedDynamo dynamo;
  private final EmbeddedSqs sqs;
  private final TableNames tables;
  private final StepFunctions stateMachines;
  private final Path checkpoints;
  private final Path executions;
  private final InstantSource clock;
  private final List<EventSource> running = new ArrayList<>();

  /**
   * Folders of the state that survives a restart.
   *
   * @param checkpoints positions up to which the streams were relayed
   * @param executions the executions of state machines
   */
  public record Folders(Path checkpoints, Path executions) {}

  /**
   * @param tables the names of the tables in use
   * @param stateMachines receives the state machines that timers start
   * @param clock the clock of timers and schedules
   */
  public EventSources(
      EmbeddedDynamo dynamo,
      EmbeddedSqs sqs,
      StepFunctions stateMachines,
      TableNames tables,
      Folders folders,
      InstantSource clock)
      throws IOException {
    this.dynamo = dynamo;
    this.sqs = sqs;
    this.tables = tables;
    this.stateMachines = stateMachines;
    this.checkpoints = Files.createDirectories(folders.checkpoints());
    this.executions = folders.executions();
    this.clock = clock;
  }

  /**
   * Starts the event sources that a function's binding names.
   *
   * @param failedChanges takes the changes on which the function failed too often
   */
  public void start(Binding binding, Lambda function, FailedChanges failedChanges) {
    switch (binding.source()) {
      case Messages _ ->
          sqs.queues(binding).forEach(one -> poll(binding, function, one, sqs.url(one)));
      case DeadLetters _ ->
          sqs.queues(binding).forEach(one -> poll(binding, function, one, sqs.deadLetterUrl(one)));
      case Every(var rate) ->
          running.add(new ScheduleRunner(function, least(rate, LONGEST_RATE), clock));
      case Changes(var table, var patterns, var patient) ->
          running.add(
              new StreamPoller(
                  dynamo.streams(),
                  new StreamPoller.Polled(
                      dynamo
                          .client()
                          .describeTable(request -> request.tableName(tables.of(table)))
                          .table()
                          .latestStreamArn(),
                      new ChangeFilter(patterns),
                      binding.batch(),
                      // The relay of the event log passes events that need a proposal directly to
                      // their queue.
                      table == Table.EVENTS,
                      dynamo.bell(tables.of(table))),
                  function,
                  new Checkpoints(checkpoints.resolve(binding.function() + ".json")),
                  this::factsAreHandled,
                  patient ? failedChanges.after(Integer.MAX_VALUE) : failedChanges));
      case Timed(var kind) -> execute(kind, function, binding.concurrency());
      case Invocation _ -> {
        // No event source starts such a function.
      }
    }
  }

  /** Returns whether no queue of facts holds a message. */
  private boolean factsAreHandled() {
    return Arrays.stream(FactRule.values())
        .map(FactRule::queue)
        .distinct()
        .allMatch(queue -> sqs.isEmpty(sqs.url(queue)));
  }

  private void execute(TimerKind kind, Lambda function, int concurrency) {
    String name = kind.wireName(tables.prefix());
    try {
      MachineRunner runner =
          new MachineRunner(function, concurrency, executions.resolve(name), clock);
      stateMachines.add(name, runner);
      running.add(runner);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void poll(Binding binding, Lambda function, DeployedQueue queue, String queueUrl) {
    Queue kind = queue.kind();
    running.add(
        new QueuePoller(
            sqs.client(),
            new QueuePoller.Polled(queueUrl, kind.fifo(), kind.visibility(), sqs.bell(queueUrl)),
            function,
            binding.batch(),
            Math.ceilDiv(
                kind == Queue.ACTIONS
                    ? binding.concurrency() * EXECUTOR_SCALE
                    : binding.concurrency(),
                sqs.queues(binding).size())));
  }

  /** Takes no more events, and waits until no events are being handled. */
  public void stop() throws InterruptedException {
    running.forEach(EventSource::stop);
    for (EventSource source : running) {
      source.join();
    }
    running.clear();
  }
}
