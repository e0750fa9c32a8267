package io.actiongovernance.functions.trigger;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which facts of the bus go to which queue. The message is the fact's detail alone. */
public enum FactRule {
  PROPOSE(Queue.PROPOSALS, FactType.ENVELOPE_INGESTED, FactType.PROPOSAL_REQUESTED),
  EXPORT(Queue.EXPORTS, FactType.EXPORT_REQUESTED),
  FOLLOW_PLANS(Queue.PLAN_TIMERS, FactType.PLAN_CLOCK_STARTED, FactType.PLAN_CLOCK_STOPPED),
  DELIVER(
      Queue.DELIVERIES,
      FactType.PLAN_PROPOSED,
      FactType.PLAN_DISPOSED,
      FactType.ACTION_NEEDS_APPROVAL,
      FactType.ACTION_DISPOSED,
      FactType.RECEIPT_WRITTEN,
      FactType.CONNECTOR_STATUS_CHANGED,
      FactType.WEBHOOK_ENDPOINT_STATUS_CHANGED);

  /** What every fact on the bus names as its source. */
  public static final String SOURCE = "governance";

  private final Queue queue;
  private final List<FactType> types;

  FactRule(Queue queue, FactType... types) {
    this.queue = queue;
    this.types = List.of(types);
  }

  public Queue queue() {
    return queue;
  }

  public List<FactType> types() {
    return types;
  }

  /** The event pattern, as EventBridge takes it. */
  public String pattern() {
    return Json.write(
        Map.of(
            "source", List.of(SOURCE), "detail-type", types.stream().map(FactType::wire).toList()));
  }

  /** {@code governance-propose}. */
  public String wireName(String prefix) {
    return prefix + "-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name of the bus: {@code governance-facts}. */
  public static String busName(String prefix) {
    return prefix + "-facts";
  }
}
