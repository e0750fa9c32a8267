package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.aws.SqsProposalQueue;
import io.actiongovernance.functions.aws.SqsQueues;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResultEntry;

/**
 * Publishes changes of the tables as facts, at least once each: on the bus, or directly to the
 * queue of proposals. The tables are the outbox: only stored changes are published, and of these
 * only the ones with a listener.
 *
 * <p>Refused entries are resent alone. If facts still cannot be published, or endpoints cannot be
 * read, it reports those changes as failed, and Lambda retries from the first of them. An
 * unreadable change is retried twice, then {@link FailedChanges given up}. Thread-safe.
 */
public final class RelayFacts implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  /** Entries in one call to the bus or to a queue. */
  private static final int CHUNK = 10;

  /** The most sends of a refused entry within one invocation. */
  private static final int ATTEMPTS = 3;

  /** The name under which this relay gives changes up. */
  private static final String NAME = "relay-facts";

  private static final Logger LOG = LoggerFactory.getLogger(RelayFacts.class);

  private final Bus bus;
  private final Proposals proposals;
  private final Listeners listeners;
  private final boolean tellsEverything;
  private final Metrics metrics;
  private final FailedChanges failedChanges;

  /** A relay that needs only bus and tables, and no master key. */
  public static RelayFacts over(Clients clients, Map<String, String> environment) {
    String prefix = Settings.prefix(environment);
    DynamoStore store = new DynamoStore(clients.dynamo(), Settings.tables(environment));
    return new RelayFacts(
        new Bus(clients.events(), FactRule.busName(prefix)),
        new Proposals(
            new SqsProposalQueue(new SqsQueues(clients.sqs(), prefix)),
            new HandedOn(store, InstantSource.system(), Sleeper.real())),
        Listeners.of(store),
        Settings.tellsEverything(environment),
        Metrics.logged(prefix, InstantSource.system()),
        new FailedChanges(clients.s3(), Settings.changesBucket(environment), NAME));
  }

  public RelayFacts(Wiring wiring) {
    this(
        new Bus(wiring.clients().events(), FactRule.busName(wiring.settings().prefix())),
        new Proposals(new SqsProposalQueue(wiring.queues()), wiring.handedOn()),
        Listeners.of(wiring.store()),
        wiring.settings().tellsEverything(),
        wiring.metrics(),
        new FailedChanges(wiring.clients().s3(), wiring.settings().changesBucket(), NAME));
  }

  private RelayFacts(
      Bus bus,
      Proposals proposals,
      Listeners listeners,
      boolean tellsEverything,
      Metrics metrics,
      FailedChanges failedChanges) {
    this.bus = bus;
    this.proposals = proposals;
    this.listeners = listeners;
    this.tellsEverything = tellsEverything;
    this.metrics = metrics;
    this.failedChanges = failedChanges;
  }

  private record Bus(EventBridgeClient client, String name) {}

  /** The queue of proposals, and the record of the events that were handed on to it. */
  private record Proposals(SqsProposalQueue queue, HandedOn handedOn) {}

  /** A fact, and the position of its change in the batch. */
  private record Pending(int position, Fact fact) {
    boolean isStraight() {
      return FactRule.PROPOSE.types().contains(fact.type());
    }
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
    try (LogIds _ = LogIds.of(context)) {
      return relay(event.getRecords(), failedChanges::giveUp);
    }
  }

  /**
   * Relays changes that were given up. An unreadable change fails again, and the try is not
   * counted.
   */
  StreamsEventResponse again(DynamodbEvent event) {
    return relay(event.getRecords(), _ -> false);
  }

  /**
   * @param unreadable decides whether to give up an unreadable change and let the stream move on
   */
  private StreamsEventResponse relay(
      List<DynamodbStreamRecord> changes, Predicate<DynamodbStreamRecord> unreadable) {
    Set<Integer> failed = new TreeSet<>();
    List<Pending> pending = new ArrayList<>();
    Audience audience = new Audience(listeners, tellsEverything);
    for (int position = 0; position < changes.size(); position++) {
      try {
        for (Fact fact : Fact.of(changes.get(position))) {
          if (audience.hearsOf(fact)) {
            pending.add(new Pending(position, fact));
          }
        }
      } catch (StoreUnavailable | SdkException e) {
        LOG.warn("Cannot tell who hears of the change {}", changes.get(position).getEventID(), e);
        failed.add(position);
        break; // All later changes are retried with this one.
      } catch (RuntimeException e) {
        LOG.warn("Cannot tell what the change {} says", changes.get(position).getEventID(), e);
        if (!unreadable.test(changes.get(position))) {
          failed.add(position);
        }
      }
    }
    List<Pending> straight = pending.stream().filter(Pending::isStraight).toList();
    List<Pending> told =
        pending.stream().filter(one -> tellsEverything || !one.isStraight()).toList();
    List<Pending> unqueued = send(straight, this::queue);
    unqueued.forEach(unsent -> failed.add(unsent.position()));
    mark(straight.stream().filter(one -> !unqueued.contains(one)).toList(), changes);
    send(told, this::put).forEach(unsent -> failed.add(unsent.position()));
    // All changes from the first failure on are retried.
    int done = failed.isEmpty() ? changes.size() : failed.iterator().next();
    OutcomeCounts.of(changes.subList(0, done)).tell(metrics);
    List<StreamsEventResponse.BatchItemFailure> failures = new ArrayList<>();
    for (int position : failed) {
      failures.add(
          new StreamsEventResponse.BatchItemFailure(
              changes.get(position).getDynamodb().getSequenceNumber()));
    }
    return new StreamsEventResponse(failures);
  }

  /**
   * Sends facts in chunks, and returns those that were not sent. If a chunk gets no answer, the
   * client has already repeated it for as long as this invocation can wait. Neither this chunk nor
   * the remaining ones are then sent again.
   *
   * @param way sends a chunk, and returns the facts that were refused
   */
  private static List<Pending> send(List<Pending> facts, UnaryOperator<List<Pending>> way) {
    List<Pending> all = new ArrayList<>();
    for (int from = 0; from < facts.size(); from += CHUNK) {
      List<Pending> unsent = facts.subList(from, Math.min(from + CHUNK, facts.size()));
      try {
        for (int attempt = 1; attempt <= ATTEMPTS && !unsent.isEmpty(); attempt++) {
          unsent = way.apply(unsent);
        }
      } catch (SdkException | StoreUnavailable e) {
        LOG.warn("{} facts were not taken", facts.size() - from, e);
        all.addAll(unsent);
        all.addAll(facts.subList(Math.min(from + CHUNK, facts.size()), facts.size()));
        return all;
      }
      all.addAll(unsent);
    }
    return all;
  }

  /**
   * Records which events were handed on. Failures are ignored: the sweep hands on an unrecorded
   * event again, which is harmless.
   */
  private void mark(List<Pending> queued, List<DynamodbStreamRecord> changes) {
    Map<String, List<Long>> positions = new TreeMap<>();
    for (Pending one : queued) {
      if (one.fact().type() == FactType.ENVELOPE_INGESTED) {
        AttributeValue at =
            changes.get(one.position()).getDynamodb().getNewImage().get(HandedOn.POSITION);
        if (at != null && at.getN() != null) {
          positions
              .computeIfAbsent(one.fact().partition(), _ -> new ArrayList<>())
              .add(Long.valueOf(at.getN()));
        }
      }
    }
    try {
      positions.forEach(
          (partition, all) -> proposals.handedOn().mark(Partition.parse(partition), all));
    } catch (StoreUnavailable | SdkException e) {
      LOG.warn("Could not record that events were handed on", e);
    }
  }

  private List<Pending> queue(List<Pending> facts) {
    List<Integer> refused =
        proposals
            .queue()
            .sendAll(
                facts.stream()
                    .map(Pending::fact)
                    .map(fact -> new SqsQueues.Fair(fact.detail(), fact.partition()))
                    .toList());
    refused.forEach(at -> LOG.warn("The queue refused {}", facts.get(at).fact().factId()));
    return refused.stream().map(facts::get).toList();
  }

  private List<Pending> put(List<Pending> facts) {
    List<PutEventsResultEntry> results =
        bus.client()
            .putEvents(
                PutEventsRequest.builder()
                    .entries(facts.stream().map(this::entry).toList())
                    .build())
            .entries();
    List<Pending> refused = new ArrayList<>();
    for (int at = 0; at < facts.size(); at++) {
      if (results.get(at).errorCode() != null) {
        LOG.warn(
            "The bus refused {}: {} {}",
            facts.get(at).fact().factId(),
            results.get(at).errorCode(),
            results.get(at).errorMessage());
        refused.add(facts.get(at));
      }
    }
    return refused;
  }

  private PutEventsRequestEntry entry(Pending pending) {
    return PutEventsRequestEntry.builder()
        .eventBusName(bus.name())
        .source(FactRule.SOURCE)
        .detailType(pending.fact().type().wire())
        .detail(pending.fact().detail())
        .build();
  }
}
