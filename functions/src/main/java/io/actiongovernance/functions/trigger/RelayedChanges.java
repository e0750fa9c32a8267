package io.actiongovernance.functions.trigger;

import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Schedules;
import io.actiongovernance.webhook.DeliveryStatus;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Selects the changes of a table for which its relay runs: those that {@link Fact} may turn into
 * facts, and those that {@link OutcomeCounts} counts. Most changes are neither, and each run costs
 * money. The selection may include changes without a fact, but never excludes one with a fact.
 */
final class RelayedChanges {
  private RelayedChanges() {}

  /**
   * Filter patterns of an event source mapping. A change must match at least one of them. The
   * patterns examine only the change itself, because Lambda ignores all other parts of a stream's
   * record.
   */
  static List<String> patterns() {
    Set<ObjectKind> whatever =
        EnumSet.complementOf(EnumSet.of(ObjectKind.ACTION, ObjectKind.OPERATOR));
    return List.of(
        pattern(Map.of(ObjectKind.ATTRIBUTE, whatever.stream().map(ObjectKind::wire).toList())),
        disposedAction(),
        having(ObjectKind.OPERATOR, Schedules.STOPPED),
        pattern(
            Map.of(
                OutcomeCounts.SORT_KEY,
                List.of(Map.of("prefix", DeliveryId.PREFIX)),
                OutcomeCounts.STATUS,
                Arrays.stream(DeliveryStatus.values())
                    .filter(status -> status != DeliveryStatus.PENDING)
                    .map(DeliveryStatus::wire)
                    .toList())));
  }

  /** Filter patterns of changes that determine outcomes. */
  static List<String> ofOutcomes() {
    return List.of(
        pattern(Map.of(ObjectKind.ATTRIBUTE, List.of(ObjectKind.PLAN.wire()))), disposedAction());
  }

  /** Filter patterns of the changes that become spans. */
  static List<String> ofReceipts() {
    return List.of(pattern(Map.of(ObjectKind.ATTRIBUTE, List.of(ObjectKind.RECEIPT.wire()))));
  }

  /**
   * The pattern of disposed actions, because an action yields facts only once it has a disposition.
   */
  private static String disposedAction() {
    return having(ObjectKind.ACTION, Fact.DISPOSITION);
  }

  private static String having(ObjectKind kind, String attribute) {
    return pattern(
        Map.of(
            ObjectKind.ATTRIBUTE,
            List.of(kind.wire()),
            attribute,
            List.of(Map.of("exists", true))));
  }

  /** The pattern of an item whose text attributes now have one of these values. */
  private static String pattern(Map<String, List<?>> texts) {
    Map<String, Object> item = new TreeMap<>();
    texts.forEach((attribute, matching) -> item.put(attribute, Map.of("S", matching)));
    return Json.write(Map.of("dynamodb", Map.of("NewImage", item)));
  }
}
