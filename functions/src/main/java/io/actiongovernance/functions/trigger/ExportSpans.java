package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.egress.TrustedRoots;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.trace.SpanCollector;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Sleeper;
import io.actiongovernance.trace.DeriveSpans;
import io.actiongovernance.trace.Span;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts the spans of new receipts to the deployer's collector. If a post fails, it reports the
 * batch as failed, and Lambda retries the batch for as long as the stream keeps it. Unreadable and
 * refused spans are skipped, so that they do not block later ones. Thread-safe.
 */
public final class ExportSpans implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private static final Logger LOG = LoggerFactory.getLogger(ExportSpans.class);

  private final DeriveSpans deriveSpans;
  private final SpanCollector collector;

  /** An exporter that needs only tables and the collector, and no master key. */
  public static ExportSpans over(Clients clients, Map<String, String> environment) {
    String prefix = Settings.prefix(environment);
    return new ExportSpans(
        new DynamoStore(clients.dynamo(), Settings.tables(environment)),
        new Target(Settings.otlpEndpoint(environment), prefix, environment.get(Settings.EGRESS_CA)),
        InstantSource.system());
  }

  public ExportSpans(Wiring wiring) {
    this(
        wiring.store(),
        new Target(
            wiring.settings().otlpEndpoint(),
            wiring.settings().prefix(),
            wiring.settings().egressCa()),
        wiring.clock());
  }

  /**
   * The collector to post to, and the deployment that posts.
   *
   * @param endpoint null if there is no collector
   * @param roots path of a file with further trusted roots; null if none
   */
  private record Target(@Nullable URI endpoint, String deployment, @Nullable String roots) {}

  private ExportSpans(Store store, Target target, InstantSource clock) {
    this.deriveSpans = new DeriveSpans(store);
    this.collector =
        new SpanCollector(
            SpanCollector.client(TrustedRoots.tls(target.roots())),
            Objects.requireNonNull(
                target.endpoint(), "Exporting spans needs " + Settings.OTLP_ENDPOINT + "."),
            target.deployment(),
            clock,
            Sleeper.real());
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
    try (LogIds _ = LogIds.of(context)) {
      return export(event.getRecords());
    }
  }

  private StreamsEventResponse export(List<DynamodbStreamRecord> changes) {
    List<Span> spans = new ArrayList<>();
    try {
      spans.addAll(spans(changes));
    } catch (StoreUnavailable e) {
      LOG.warn("The plans of {} receipts could not be read", changes.size(), e);
      return failed(changes);
    }
    return spans.isEmpty() || collector.take(spans)
        ? new StreamsEventResponse(List.of())
        : failed(changes);
  }

  /** Reports the whole batch as failed, so that all of it is retried. */
  private static StreamsEventResponse failed(List<DynamodbStreamRecord> changes) {
    return new StreamsEventResponse(
        List.of(
            new StreamsEventResponse.BatchItemFailure(
                changes.getFirst().getDynamodb().getSequenceNumber())));
  }

  private List<Span> spans(List<DynamodbStreamRecord> changes) {
    List<Receipt> receipts = changes.stream().flatMap(change -> receipt(change).stream()).toList();
    try {
      return deriveSpans.of(receipts);
    } catch (StoreUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      if (receipts.size() > 1) {
        // Try each change alone, so that only those without a span are left out.
        return changes.stream().flatMap(change -> spans(List.of(change)).stream()).toList();
      }
      LOG.error("No span can be made of {}", receipts.getFirst().id(), e);
      return List.of();
    }
  }

  /** The receipt that the change inserted, if any. */
  private static Optional<Receipt> receipt(DynamodbStreamRecord change) {
    Map<String, AttributeValue> after = change.getDynamodb().getNewImage();
    Map<String, AttributeValue> before = change.getDynamodb().getOldImage();
    if (after == null || (before != null && !before.isEmpty())) {
      return Optional.empty();
    }
    try {
      String id = text(after, "id");
      Item.Builder item =
          Item.at(new Key(Table.RECEIPTS, id, id))
              .with("doc", Objects.requireNonNull(StoredDoc.of(after), "doc"));
      AttributeValue flags = after.get(ReceiptLedger.TRACE_FLAGS);
      if (flags != null) {
        item.with(ReceiptLedger.TRACE_FLAGS, Long.parseLong(flags.getN()));
      }
      return Optional.of(
          ReceiptLedger.receipt(Partition.parse(text(after, "partition")), item.build()));
    } catch (RuntimeException e) {
      LOG.error("Cannot tell what the change {} says", change.getEventID(), e);
      return Optional.empty();
    }
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return Objects.requireNonNull(item.get(name), name).getS();
  }
}
