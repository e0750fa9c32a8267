package io.actiongovernance.functions.trigger;

import static io.actiongovernance.functions.rights.Needs.CLOSE;
import static io.actiongovernance.functions.rights.Needs.LOG;
import static io.actiongovernance.functions.rights.Needs.RUN;
import static io.actiongovernance.functions.rights.Right.ASK_MODELS;
import static io.actiongovernance.functions.rights.Right.FIND_DESTINATIONS;
import static io.actiongovernance.functions.rights.Right.GIVE_UP_CHANGES;
import static io.actiongovernance.functions.rights.Right.MARK_HANDED_ON;
import static io.actiongovernance.functions.rights.Right.PUBLISH;
import static io.actiongovernance.functions.rights.Right.READ_GIVEN_UP;
import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Right.WRITE_EXPORTS;
import static io.actiongovernance.functions.rights.Right.WRITE_RESULTS;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.opening;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sealing;
import static io.actiongovernance.functions.rights.Rights.sending;
import static io.actiongovernance.functions.rights.Rights.timing;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.EFFECTS;
import static io.actiongovernance.store.Table.EVENTS;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.RECEIPTS;
import static io.actiongovernance.store.Table.RESULTS;
import static io.actiongovernance.store.Table.STATE;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.due.LookForDue;
import io.actiongovernance.functions.access.CreateTenantFunction;
import io.actiongovernance.functions.aws.SqsProposalQueue;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.receipt.ExportWiring;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.settings.Memory;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Source.Invocation;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Source.Timed;
import io.actiongovernance.functions.webhook.WebhookWiring;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.webhook.WebhookTimes;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The triggers of functions other than requests. Only this type states which queue, stream,
 * schedule or direct invocation runs which handler, and how. Deployment builds functions and event
 * source mappings from it, and the local stack builds its pollers.
 */
public enum Trigger {
  CREATE_TENANT(
      new Invocation(),
      CreateTenantFunction::new,
      new Load(1, Duration.ofSeconds(30), 1),
      Memory.WHOLE_PROCESSOR,
      on(STATE, READ, PUT, UPDATE).and(on(LIMITS, PUT)).and(to(RECEIPT_CONFIG))),
  /** Invoked by a command after claims were lost. */
  RECOVER_CLAIMS(
      new Invocation(),
      RecoverClaimsFunction::new,
      new Load(1, Duration.ofSeconds(60), 1),
      Memory.WHOLE_PROCESSOR,
      CLOSE.and(on(EFFECTS, READ, PUT)).and(reading(LIMITS, RECEIPTS))),
  RELAY_STATE(
      Changes.relayed(Table.STATE),
      RelayFacts::new,
      new Load(100, Duration.ofSeconds(30), 1),
      Memory.PASSING_ON,
      to(PUBLISH, FIND_DESTINATIONS, GIVE_UP_CHANGES).and(sending(Queue.PROPOSALS))),
  RELAY_EVENTS(
      Changes.relayed(Table.EVENTS),
      RelayFacts::new,
      new Load(100, Duration.ofSeconds(30), 1),
      Memory.PASSING_ON,
      to(PUBLISH, FIND_DESTINATIONS, GIVE_UP_CHANGES, MARK_HANDED_ON)
          .and(sending(Queue.PROPOSALS))),
  RELAY_RECEIPTS(
      Changes.relayed(Table.RECEIPTS),
      RelayFacts::new,
      new Load(100, Duration.ofSeconds(30), 1),
      Memory.PASSING_ON,
      to(PUBLISH, FIND_DESTINATIONS, GIVE_UP_CHANGES)),
  /** Separate from {@link #RELAY_STATE}, so that a delay here does not delay facts. */
  RELAY_OUTCOMES(
      new Changes(Table.STATE, RelayedChanges.ofOutcomes()),
      RelayOutcomes::new,
      new Load(100, Duration.ofSeconds(30), 1),
      Memory.PASSING_ON,
      reading(STATE).and(LOG).and(to(GIVE_UP_CHANGES))),
  /** Relays changes again that the other relays, or Lambda, have given up. */
  RELAY_AGAIN(
      new Messages(Queue.FAILED_CHANGES),
      wiring ->
          new RelayAgainHandler(
              new RelayFacts(wiring),
              new RelayOutcomes(wiring),
              () -> new ExportSpans(wiring),
              new FailedChanges(
                  wiring.clients().s3(),
                  wiring.settings().changesBucket(),
                  RelayAgainHandler.NAME)),
      new Load(1, Duration.ofSeconds(60), 2),
      Memory.PASSING_ON,
      to(PUBLISH, READ_GIVEN_UP)
          .and(sending(Queue.PROPOSALS))
          .and(reading(STATE, EFFECTS))
          .and(LOG)),
  /**
   * Present only if spans are posted to a collector. It reads the same stream as {@link
   * #RELAY_RECEIPTS}, but separately, so that an unresponsive collector delays only spans.
   */
  EXPORT_SPANS(
      Changes.patient(Table.RECEIPTS, RelayedChanges.ofReceipts()),
      ExportSpans::new,
      new Load(100, Duration.ofSeconds(30), 1),
      Memory.PASSING_ON,
      reading(STATE, EFFECTS)),
  /**
   * Handles one message at a time, with time for a model to answer, so that no event waits for
   * another.
   */
  PROPOSE(
      new Messages(Queue.PROPOSALS),
      wiring ->
          new ProposeHandler(
              wiring.loop().proposing().proposeForEvent(), wiring.proposalRequests()),
      new Load(1, Duration.ofSeconds(90), 8),
      Memory.SMALL,
      sealing(Purpose.CREDENTIALS).and(Needs.PROPOSE).and(to(ASK_MODELS))),
  PROPOSE_AGAIN(
      new DeadLetters(Queue.PROPOSALS),
      wiring -> new ProposeAgainHandler(new SqsProposalQueue(wiring.queues())),
      new Load(1, Duration.ofSeconds(20), 2),
      Memory.PASSING_ON,
      sending(Queue.PROPOSALS)),
  /**
   * Handles one message at a time, because a message that fails must not delay another entity's.
   */
  EXECUTE_ACTION(
      new Messages(Queue.ACTIONS),
      wiring -> new ExecuteActionHandler(wiring.loop().executing().executeAction(), wiring.clock()),
      new Load(1, KernelTimes.EXECUTOR_TIMEOUT, 16),
      Memory.SMALL,
      sealing(Purpose.CREDENTIALS, Purpose.RESULT)
          .and(to(WRITE_RESULTS))
          .and(RUN)
          .and(on(RESULTS, PUT))),
  GIVE_UP_ACTION(
      new DeadLetters(Queue.ACTIONS),
      wiring -> new GiveUpActionHandler(wiring.loop().executing().executeAction()),
      new Load(1, Duration.ofSeconds(20), 2),
      Memory.PASSING_ON,
      RUN),
  RESUME(
      new Messages(Queue.RESUME),
      wiring ->
          new ResumeHandler(
              wiring.loop().executing().runPlan(), wiring.dispatcher(), wiring.clock()),
      new Load(10, Duration.ofSeconds(30), 8),
      Memory.SMALL,
      RUN),
  RUN_EXPORT(
      new Messages(Queue.EXPORTS),
      wiring -> new RunExportHandler(new ExportWiring(wiring).runExport()),
      new Load(1, Duration.ofMinutes(15), 4),
      Memory.WHOLE_PROCESSOR,
      on(STATE, READ, UPDATE).and(reading(RECEIPTS, EVENTS, LIMITS)).and(to(WRITE_EXPORTS))),
  FAN_OUT(
      new Messages(Queue.DELIVERIES),
      wiring -> {
        WebhookWiring webhooks = new WebhookWiring(wiring);
        return new FanOutHandler(webhooks.createDeliveries(), webhooks.notifyChannels());
      },
      new Load(2, Duration.ofSeconds(50), 8),
      Memory.PASSING_ON,
      on(STATE, READ, PUT, UPDATE)
          .and(reading(RECEIPTS, LIMITS))
          .and(sending(Queue.ATTEMPTS))
          .and(timing(TimerKind.WEBHOOK_RETRY))),
  /** Handles one message at a time, because a slow endpoint must not delay another. */
  DELIVER_WEBHOOK(
      new Messages(Queue.ATTEMPTS),
      wiring -> new DeliverWebhookHandler(new WebhookWiring(wiring).attemptDelivery()),
      new Load(1, WebhookTimes.TIMEOUT, 48),
      Memory.SMALL,
      // No right to write receipts: suspending endpoints on the service's behalf leaves none.
      opening(Purpose.WEBHOOK_SECRET, Purpose.CHANNEL)
          .and(on(STATE, READ, PUT, UPDATE, DELETE))
          .and(on(LIMITS, READ, UPDATE))
          .and(timing(TimerKind.WEBHOOK_RETRY))),
  RETRY_DELIVERY(
      new Timed(TimerKind.WEBHOOK_RETRY),
      wiring -> new RetryDeliveryHandler(new WebhookWiring(wiring).sweepDeliveries()),
      new Load(1, Duration.ofSeconds(30), 8),
      Memory.PASSING_ON,
      on(STATE, READ, UPDATE).and(reading(LIMITS)).and(sending(Queue.ATTEMPTS))),
  LOOK_FOR_DUE(
      new Every(Duration.ofMinutes(1)),
      wiring ->
          new LookForDueHandler(
              new LookForDue(wiring.store(), wiring.clock()),
              new SqsSweeps(wiring.queues()),
              wiring.metrics(),
              wiring.clock()),
      new Load(1, Duration.ofSeconds(50), 1),
      Memory.PASSING_ON,
      reading(STATE).and(sending(Queue.SWEEPS, Queue.DELIVERY_SWEEPS, Queue.SCHEDULE_RUNS))),
  /** Handles one shard at a time, as the two below do, because each may take most of a minute. */
  SWEEP_DELIVERIES(
      new Messages(Queue.DELIVERY_SWEEPS),
      wiring -> new SweepDeliveriesHandler(new WebhookWiring(wiring).sweepDeliveries()),
      new Load(1, Duration.ofSeconds(60), 4),
      Memory.PASSING_ON,
      on(STATE, READ, UPDATE).and(reading(LIMITS)).and(sending(Queue.ATTEMPTS))),
  SWEEP(
      new Messages(Queue.SWEEPS),
      wiring -> new SweepHandler(wiring.loop().executing().sweep(), wiring.metrics()),
      new Load(1, Duration.ofSeconds(60), 8),
      Memory.PASSING_ON,
      // DELETE is for settled entities.
      RUN.and(on(STATE, DELETE)).and(timing(TimerKind.PLAN_EXPIRY))),
  RUN_DUE_OPERATORS(
      new Messages(Queue.SCHEDULE_RUNS),
      wiring -> new RunDueOperatorsHandler(wiring.runDueOperators()),
      new Load(1, Duration.ofSeconds(60), 4),
      Memory.PASSING_ON,
      // DELETE is for requests that were put off and are made now.
      on(STATE, READ, PUT, UPDATE, DELETE).and(LOG).and(sending(Queue.PROPOSALS))),
  FOLLOW_PLANS(
      new Messages(Queue.PLAN_TIMERS),
      wiring -> new FollowPlansHandler(wiring.planExpiry()),
      new Load(10, Duration.ofSeconds(30), 4),
      Memory.PASSING_ON,
      reading(STATE).and(timing(TimerKind.PLAN_EXPIRY))),
  EXPIRE_PLAN(
      new Timed(TimerKind.PLAN_EXPIRY),
      wiring -> new ExpirePlanHandler(wiring.planExpiry()),
      new Load(1, Duration.ofSeconds(30), 8),
      Memory.PASSING_ON,
      RUN);

  private final Binding binding;
  private final Memory memory;
  private final Rights rights;

  Trigger(
      Source source,
      Function<Wiring, RequestHandler<?, ?>> handler,
      Load load,
      Memory memory,
      Rights rights) {
    String function = name().toLowerCase(Locale.ROOT).replace('_', '-');
    this.binding = new Binding(function, source, handler, load);
    this.memory = memory;
    this.rights = rights;
  }

  public Binding binding() {
    return binding;
  }

  /** The maximum memory of the trigger's function. An environment may give it less. */
  public Memory memory() {
    return memory;
  }

  /** The rights of the trigger's function, besides receiving from its source. */
  public Rights rights() {
    return rights;
  }

  /** Returns whether a deployment with these settings includes the trigger's function. */
  private boolean isIn(Map<String, String> settings) {
    return isIn(Settings.otlpEndpoint(settings) != null);
  }

  private boolean isIn(boolean spans) {
    return this != EXPORT_SPANS || spans;
  }

  public static List<Trigger> of(Settings settings) {
    boolean spans = settings.otlpEndpoint() != null;
    return Arrays.stream(values()).filter(trigger -> trigger.isIn(spans)).toList();
  }

  public static List<Trigger> of(Map<String, String> settings) {
    return Arrays.stream(values()).filter(trigger -> trigger.isIn(settings)).toList();
  }

  /** The bindings of the triggers of a deployment with these settings. */
  public static List<Binding> bindings(Map<String, String> settings) {
    return of(settings).stream().map(Trigger::binding).toList();
  }

  public static List<Binding> bindings() {
    return Arrays.stream(values()).map(Trigger::binding).toList();
  }

  /**
   * The load limits of a function.
   *
   * @param batch the most messages or changes in one invocation
   * @param timeout the longest run of one invocation
   * @param concurrency the most invocations at once. It is divided equally among several queues; a
   *     stream's changes are always relayed one batch at a time
   */
  public record Load(int batch, Duration timeout, int concurrency) {
    public Load {
      if (batch < 1 || concurrency < 1 || !timeout.isPositive()) {
        throw new IllegalArgumentException("Batch, concurrency and timeout are positive.");
      }
    }
  }

  /**
   * A function and its trigger.
   *
   * @param function the function's name, such as {@code relay-state}
   */
  public record Binding(
      String function, Source source, Function<Wiring, RequestHandler<?, ?>> handler, Load load) {
    public Binding {
      if (source instanceof Messages(Queue queue)
          && load.timeout().compareTo(queue.visibility()) >= 0) {
        throw new IllegalArgumentException(
            "A message of " + queue + " would come again while " + function + " still runs.");
      }
    }

    /** The queues whose messages, or dead letters, start the function; none for other sources. */
    public List<DeployedQueue> queues(int actionQueues) {
      return switch (source) {
        case Messages(Queue queue) -> queue.deployed(actionQueues);
        case DeadLetters(Queue queue) -> queue.deployed(actionQueues);
        case Changes _, Every _, Timed _, Invocation _ -> List.of();
      };
    }

    public int batch() {
      return load.batch();
    }

    public Duration timeout() {
      return load.timeout();
    }

    public int concurrency() {
      return load.concurrency();
    }
  }
}
