package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.functions.Memory;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.access.CreateTenantFunction;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.webhook.WebhookTimes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * What starts a function other than a request: the one place that says which queue, stream,
 * schedule or direct invocation runs which handler, and how. Deployment builds functions and event
 * source mappings from it, the local stack its pollers.
 */
public enum Trigger {
  CREATE_TENANT(new Invocation(), CreateTenantFunction::new, 1, Duration.ofSeconds(30), 1),
  RELAY_STATE(Changes.relayed(Table.STATE), RelayFacts::new, 100, Duration.ofSeconds(30), 1),
  RELAY_EVENTS(Changes.relayed(Table.EVENTS), RelayFacts::new, 100, Duration.ofSeconds(30), 1),
  RELAY_RECEIPTS(Changes.relayed(Table.RECEIPTS), RelayFacts::new, 100, Duration.ofSeconds(30), 1),
  /** One at a time, for as long as a model may be asked: no event waits for another one's. */
  PROPOSE(new Messages(Queue.PROPOSALS), ProposeHandler::new, 1, Duration.ofSeconds(90), 8),
  /** One at a time: a message that fails must not hold back another entity's. */
  EXECUTE_ACTION(
      new Messages(Queue.ACTIONS), ExecuteActionHandler::new, 1, KernelTimes.EXECUTOR_TIMEOUT, 16),
  GIVE_UP_ACTION(
      new DeadLetters(Queue.ACTIONS), GiveUpActionHandler::new, 1, Duration.ofSeconds(20), 2),
  RESUME(new Messages(Queue.RESUME), ResumeHandler::new, 10, Duration.ofSeconds(30), 8),
  RUN_EXPORT(new Messages(Queue.EXPORTS), RunExportHandler::new, 1, Duration.ofMinutes(15), 4),
  FAN_OUT(new Messages(Queue.DELIVERIES), FanOutHandler::new, 2, Duration.ofSeconds(50), 8),
  /** One at a time: an endpoint that takes its time must not hold back another's. */
  DELIVER_WEBHOOK(
      new Messages(Queue.ATTEMPTS), DeliverWebhookHandler::new, 1, WebhookTimes.TIMEOUT, 48),
  RETRY_DELIVERY(
      new Timed(TimerKind.WEBHOOK_RETRY), RetryDeliveryHandler::new, 1, Duration.ofSeconds(30), 8),
  SWEEP_DELIVERIES(
      new Every(Duration.ofMinutes(1)), SweepDeliveriesHandler::new, 1, Duration.ofSeconds(50), 1),
  SWEEP(new Every(Duration.ofMinutes(1)), SweepHandler::new, 1, Duration.ofSeconds(60), 1),
  RUN_DUE_OPERATORS(
      new Every(Duration.ofMinutes(1)), RunDueOperatorsHandler::new, 1, Duration.ofSeconds(60), 1),
  FOLLOW_PLANS(
      new Messages(Queue.PLAN_TIMERS), FollowPlansHandler::new, 10, Duration.ofSeconds(30), 4),
  EXPIRE_PLAN(
      new Timed(TimerKind.PLAN_EXPIRY), ExpirePlanHandler::new, 1, Duration.ofSeconds(30), 8);

  private final Binding binding;

  Trigger(
      Source source,
      Function<Wiring, RequestHandler<?, ?>> handler,
      int batch,
      Duration timeout,
      int concurrency) {
    String function = name().toLowerCase(Locale.ROOT).replace('_', '-');
    this.binding = new Binding(function, source, handler, batch, timeout, concurrency);
  }

  public Binding binding() {
    return binding;
  }

  /** What its function has at most; an environment may give it less. */
  public Memory memory() {
    return switch (this) {
      case RELAY_STATE,
          RELAY_EVENTS,
          RELAY_RECEIPTS,
          FAN_OUT,
          FOLLOW_PLANS,
          EXPIRE_PLAN,
          RETRY_DELIVERY,
          SWEEP_DELIVERIES,
          SWEEP,
          RUN_DUE_OPERATORS,
          GIVE_UP_ACTION ->
          Memory.PASSING_ON;
      case PROPOSE, EXECUTE_ACTION, RESUME, DELIVER_WEBHOOK -> Memory.SMALL;
      case CREATE_TENANT, RUN_EXPORT -> Memory.WHOLE_PROCESSOR;
    };
  }

  /** The bindings of all triggers. */
  public static List<Binding> bindings() {
    return Arrays.stream(values()).map(Trigger::binding).toList();
  }

  /** Where the events of a function come from. */
  public sealed interface Source {}

  /**
   * Messages of a queue. The function gets an {@code SQSEvent} and may answer which of its messages
   * failed.
   */
  public record Messages(Queue queue) implements Source {}

  /** Messages that a queue's own function failed on too often. */
  public record DeadLetters(Queue queue) implements Source {}

  /**
   * Changes of a table, in order. The function gets a {@code DynamodbEvent} and may answer where it
   * failed.
   *
   * @param patterns it is run for changes that match one of them, as Lambda's filters do; for all
   *     if there are none
   */
  public record Changes(Table table, List<String> patterns) implements Source {
    public Changes {
      patterns = List.copyOf(patterns);
      if (!table.streamed()) {
        throw new IllegalArgumentException(table + " has no stream.");
      }
    }

    private static Changes relayed(Table table) {
      return new Changes(table, RelayedChanges.patterns());
    }
  }

  /** The passing of time, at a fixed rate of whole minutes or, on the local stack, any duration. */
  public record Every(Duration rate) implements Source {}

  /**
   * A timer that is due: the task of the kind's state machine. The function gets the timer's
   * identifiers, as {@link TimerHandler} reads them, and answers {@code {"done":true}}, or {@code
   * {"wait_until":"…"}} to be asked again then. On the local stack no more than its concurrency run
   * at once.
   */
  public record Timed(TimerKind kind) implements Source {}

  /** Nothing but a direct invocation by name. */
  public record Invocation() implements Source {}

  /**
   * A function and what starts it.
   *
   * @param function its name: {@code relay-state}
   * @param batch how many messages or changes one invocation gets at most
   * @param timeout how long one invocation may run
   * @param concurrency how many invocations run at once at most; changes of a stream are always
   *     relayed one batch at a time
   */
  public record Binding(
      String function,
      Source source,
      Function<Wiring, RequestHandler<?, ?>> handler,
      int batch,
      Duration timeout,
      int concurrency) {
    public Binding {
      if (batch < 1 || concurrency < 1 || !timeout.isPositive()) {
        throw new IllegalArgumentException(
            "Batch, concurrency and timeout are positive: " + function);
      }
      if (source instanceof Messages(Queue queue) && timeout.compareTo(queue.visibility()) >= 0) {
        throw new IllegalArgumentException(
            "A message of " + queue + " would come again while " + function + " still runs.");
      }
    }
  }
}
