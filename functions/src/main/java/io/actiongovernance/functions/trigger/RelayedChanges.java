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
 * Which changes of a table its relay is run for: those that {@link Fact} may make facts of, and
 * those that {@link OutcomeCounts} counts. Most changes are neither; a run for them would be paid
 * for nothing. It may let through what turns out to say nothing, and never holds back what does.
 */
final class RelayedChanges {
  private RelayedChanges() {}

  /**
   * Filter patterns of an event source mapping, any of which a change has to match. They look at
   * nothing but the change itself: of a stream's record, Lambda takes no other part into account.
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

  /** The same of those that tell of outcomes. */
  static List<String> ofOutcomes() {
    return List.of(
        pattern(Map.of(ObjectKind.ATTRIBUTE, List.of(ObjectKind.PLAN.wire()))), disposedAction());
  }

  /** The same of those that spans are made of. */
  static List<String> ofReceipts() {
    return List.of(pattern(Map.of(ObjectKind.ATTRIBUTE, List.of(ObjectKind.RECEIPT.wire()))));
  }

  /** Of an action, nothing is told before its disposition. */
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

  /** The pattern of an item whose texts are now among these. */
  private static String pattern(Map<String, List<?>> texts) {
    Map<String, Object> item = new TreeMap<>();
    texts.forEach((attribute, matching) -> item.put(attribute, Map.of("S", matching)));
    return Json.write(Map.of("dynamodb", Map.of("NewImage", item)));
  }
}
