package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.json.Json;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.webhook.DeliveryStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts how actions and deliveries ended, from the changes of a table. The relays count stored
 * results, and so only what happened. A change that is relayed again is counted again.
 */
final class OutcomeCounts {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeCounts.class);

  static final String SORT_KEY = "sk";
  static final String STATUS = "status";

  private static final Set<String> OF_ACTIONS =
      Set.of(Receipt.Kind.ACTION.wire(), Receipt.Kind.UNDO.wire());

  private final Map<String, Long> actions = new TreeMap<>();
  private final Map<String, Long> deliveries = new TreeMap<>();

  private OutcomeCounts() {}

  static OutcomeCounts of(List<DynamodbStreamRecord> changes) {
    OutcomeCounts tally = new OutcomeCounts();
    for (DynamodbStreamRecord change : changes) {
      try {
        tally.add(change);
      } catch (RuntimeException e) {
        // A change that cannot be counted must not cause a retry of the whole batch.
        LOG.warn("The change {} cannot be counted", change.getEventID(), e);
      }
    }
    return tally;
  }

  private void add(DynamodbStreamRecord change) {
    Map<String, AttributeValue> before = change.getDynamodb().getOldImage();
    Map<String, AttributeValue> after = change.getDynamodb().getNewImage();
    boolean inserted = before == null || before.isEmpty();
    if (inserted && ObjectKind.RECEIPT.wire().equals(text(after, ObjectKind.ATTRIBUTE))) {
      Optional.ofNullable(StoredDoc.of(after)).map(Json::read).ifPresent(this::count);
    }
    String sortKey = text(after, SORT_KEY);
    String status = text(after, STATUS);
    if (sortKey != null && sortKey.startsWith(DeliveryId.PREFIX) && ended(status, before)) {
      deliveries.merge(status, 1L, Long::sum);
    }
  }

  private void count(JsonNode receipt) {
    if (OF_ACTIONS.contains(receipt.path("kind").asText())) {
      actions.merge(receipt.path("outcome").asText(), 1L, Long::sum);
    }
  }

  private static boolean ended(
      @Nullable String status, @Nullable Map<String, AttributeValue> before) {
    return status != null
        && !status.equals(DeliveryStatus.PENDING.wire())
        && !status.equals(text(before, STATUS));
  }

  /** Number of actions that ended, by outcome. */
  Map<String, Long> actions() {
    return actions;
  }

  /** Number of deliveries that ended, by status. */
  Map<String, Long> deliveries() {
    return deliveries;
  }

  void tell(Metrics metrics) {
    actions.forEach((outcome, count) -> metrics.count(Metric.ACTIONS, outcome, count));
    deliveries.forEach((status, count) -> metrics.count(Metric.DELIVERIES, status, count));
  }

  private static @Nullable String text(
      @Nullable Map<String, AttributeValue> item, String attribute) {
    AttributeValue value = item == null ? null : item.get(attribute);
    return value == null ? null : value.getS();
  }
}
