package io.actiongovernance.functions.trigger;

import io.actiongovernance.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Which facts of the bus go to which queue. The message is the fact's detail alone. */
public enum FactRule {
  PROPOSE(Queue.PROPOSALS, FactType.ENVELOPE_INGESTED, FactType.PROPOSAL_REQUESTED),
  EXPORT(Queue.EXPORTS, FactType.EXPORT_REQUESTED),
  FOLLOW_PLANS(Queue.PLAN_TIMERS, FactType.PLAN_CLOCK_STARTED, FactType.PLAN_CLOCK_STOPPED),
  /**
   * What no endpoint hears of would cost a message and a run of a function for nothing. A fact that
   * does not say comes from a relay that a deployment has not replaced yet.
   */
  DELIVER(
      Queue.DELIVERIES,
      Map.of(Fact.HEARD, List.of(true, Map.of("exists", false))),
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
  private final Map<String, List<?>> detail;
  private final List<FactType> types;

  FactRule(Queue queue, FactType... types) {
    this(queue, Map.of(), types);
  }

  /**
   * @param detail the values that fields of a fact's detail must have
   */
  FactRule(Queue queue, Map<String, List<?>> detail, FactType... types) {
    this.queue = queue;
    this.detail = detail;
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
    Map<String, Object> pattern = new TreeMap<>();
    pattern.put("source", List.of(SOURCE));
    pattern.put("detail-type", types.stream().map(FactType::wire).toList());
    if (!detail.isEmpty()) {
      pattern.put("detail", detail);
    }
    return Json.write(pattern);
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
