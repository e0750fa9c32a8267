package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.OutcomeLog;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.TellOutcomes;
import io.actiongovernance.plan.TellOutcomes.Change;
import io.actiongovernance.store.Store;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the outcomes of plans into the log of outcomes. It is separate from the relay of facts, so
 * that a tenant whose outcomes exceed its log's throughput delays nothing else.
 *
 * <p>Changes that could not be written are reported as failed, and Lambda retries from the first of
 * them. An unreadable change is retried twice, then {@link FailedChanges given up}. Thread-safe.
 */
public final class RelayOutcomes implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private static final Logger LOG = LoggerFactory.getLogger(RelayOutcomes.class);

  /** The name under which this relay gives changes up. */
  static final String NAME = "relay-outcomes";

  private final TellOutcomes outcomes;
  private final FailedChanges failedChanges;

  /** A relay that needs only tables, and no master key. */
  public static RelayOutcomes over(Clients clients, Map<String, String> environment) {
    return new RelayOutcomes(
        new DynamoStore(clients.dynamo(), Settings.tables(environment)),
        InstantSource.system(),
        new FailedChanges(clients.s3(), Settings.changesBucket(environment), NAME));
  }

  public RelayOutcomes(Wiring wiring) {
    this(
        wiring.store(),
        wiring.clock(),
        new FailedChanges(wiring.clients().s3(), wiring.settings().changesBucket(), NAME));
  }

  private RelayOutcomes(Store store, InstantSource clock, FailedChanges failedChanges) {
    this.failedChanges = failedChanges;
    this.outcomes = new TellOutcomes(store, new OutcomeLog(store, clock, Sleeper.real()));
  }

  /** A change and its position in the batch. */
  private record PositionedChange(Change change, int position) {}

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
      List<DynamodbStreamRecord> records, Predicate<DynamodbStreamRecord> unreadable) {
    Set<Integer> failed = new TreeSet<>();
    Map<String, List<PositionedChange>> told = new LinkedHashMap<>();
    for (int position = 0; position < records.size(); position++) {
      try {
        for (Fact fact : Fact.of(records.get(position))) {
          int at = position;
          change(fact)
              .ifPresent(
                  change ->
                      told.computeIfAbsent(fact.partition(), _ -> new ArrayList<>())
                          .add(new PositionedChange(change, at)));
        }
      } catch (RuntimeException e) {
        LOG.warn("Cannot tell what the change {} says", records.get(position).getEventID(), e);
        if (!unreadable.test(records.get(position))) {
          failed.add(position);
        }
      }
    }
    // In parallel: each tenant has its own log, so no tenant waits for another's.
    List<CompletableFuture<List<Integer>>> telling =
        told.entrySet().stream()
            .map(
                one ->
                    CompletableFuture.supplyAsync(
                        () -> tell(Partition.parse(one.getKey()), one.getValue()),
                        Thread::startVirtualThread))
            .toList();
    telling.forEach(one -> failed.addAll(one.join()));
    return new StreamsEventResponse(
        failed.stream()
            .map(position -> records.get(position).getDynamodb().getSequenceNumber())
            .map(StreamsEventResponse.BatchItemFailure::new)
            .toList());
  }

  private static Optional<Change> change(Fact fact) {
    return switch (fact.type()) {
      case PLAN_PROPOSED -> Optional.of(new Change.Proposed(new PlanId(fact.id())));
      case PLAN_DISPOSED -> Optional.of(new Change.Disposed(new PlanId(fact.id())));
      case ACTION_DISPOSED -> Optional.of(new Change.ActionDisposed(new ActionId(fact.id())));
      default -> Optional.empty();
    };
  }

  /** Writes outcomes together or, if that fails, one by one; returns the failed positions. */
  private List<Integer> tell(Partition partition, List<PositionedChange> changes) {
    try {
      outcomes.tell(partition, changes.stream().map(PositionedChange::change).toList());
      return List.of();
    } catch (RuntimeException e) {
      LOG.warn("{} outcomes were not written", changes.size(), e);
      return changes.size() == 1
          ? List.of(changes.getFirst().position())
          : changes.stream().flatMap(one -> tell(partition, List.of(one)).stream()).toList();
    }
  }
}
