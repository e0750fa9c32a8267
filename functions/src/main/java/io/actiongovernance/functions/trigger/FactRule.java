package io.actiongovernance.functions.trigger;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Routes facts to queues. A message is only the fact's detail. Its group is the fact's tenant and
 * mode, which makes the queues fair.
 */
public enum FactRule {
  /**
   * The relay itself sends these facts to the queue, not the bus. Messages in this queue may wait
   * for a model, so fair turns matter most; nearly every event takes this path, so its cost
   * matters.
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

  public static final String SOURCE = "governance";

  /** Path to a fact's tenant and mode, in the syntax of the bus's rules. */
  public static final String GROUP = "$.detail.partition";

  private final boolean onBus;
  private final Queue queue;
  private final List<FactType> types;

  FactRule(boolean onBus, Queue queue, FactType... types) {
    this.onBus = onBus;
    this.queue = queue;
    this.types = List.of(types);
  }

  /** The rules that the bus applies. The relay applies the others. */
  public static List<FactRule> ofBus() {
    return Arrays.stream(values()).filter(rule -> rule.onBus).toList();
  }

  public Queue queue() {
    return queue;
  }

  public List<FactType> types() {
    return types;
  }

  /** The event pattern in EventBridge's syntax. */
  public String pattern() {
    return Json.write(
        Map.of(
            "source", List.of(SOURCE), "detail-type", types.stream().map(FactType::wire).toList()));
  }

  /** The name of the rule, such as {@code governance-propose}. */
  public String wireName(String prefix) {
    return prefix + "-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The name of the bus, such as {@code governance-facts}. */
  public static String busName(String prefix) {
    return prefix + "-facts";
  }
}
