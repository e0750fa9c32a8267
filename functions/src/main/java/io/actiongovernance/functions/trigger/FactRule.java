package io.actiongovernance.functions.trigger;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which facts go to which queue, as messages that are the fact's detail alone, in the group of
 * their tenant and mode: the queues are fair by it.
 */
public enum FactRule {
  /**
   * Sent by the relay itself: what waits here may wait for a model, so that turns matter most, and
   * it is what nearly every event costs.
   */
  PROPOSE(false, Queue.PROPOSALS, FactType.ENVELOPE_INGESTED, FactType.PROPOSAL_REQUESTED),
  EXPORT(true, Queue.EXPORTS, FactType.EXPORT_REQUESTED),
  FOLLOW_PLANS(true, Queue.PLAN_TIMERS, FactType.PLAN_CLOCK_STARTED, FactType.PLAN_CLOCK_STOPPED),
  DELIVER(
      true,
      Queue.DELIVERIES,
      FactType.PLAN_PROPOSED,
      FactType.PLAN_DISPOSED,
      FactType.PLAN_HELD,
      FactType.ACTION_NEEDS_APPROVAL,
      FactType.ACTION_DISPOSED,
      FactType.APPROVAL_REQUESTED,
      FactType.APPROVAL_VOTED,
      FactType.HALTED,
      FactType.HALT_LIFTED,
      FactType.RECEIPT_WRITTEN,
      FactType.CONNECTOR_STATUS_CHANGED,
      FactType.OPERATOR_SCHEDULE_STOPPED,
      FactType.WEBHOOK_ENDPOINT_STATUS_CHANGED);

  /** What every fact on the bus names as its source. */
  public static final String SOURCE = "governance";

  /** Where a fact names its tenant and mode, as rules of the bus have it. */
  public static final String GROUP = "$.detail.partition";

  private final boolean onBus;
  private final Queue queue;
  private final List<FactType> types;

  FactRule(boolean onBus, Queue queue, FactType... types) {
    this.onBus = onBus;
    this.queue = queue;
    this.types = List.of(types);
  }

  /** Those that are rules of the bus. */
  public static List<FactRule> ofBus() {
    return Arrays.stream(values()).filter(rule -> rule.onBus).toList();
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
