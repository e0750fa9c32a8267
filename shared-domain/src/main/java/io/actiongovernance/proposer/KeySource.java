package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the idempotency keys are derived from that a proposal leaves out, so that the same proposal
 * made again gets the same keys (contract, section 2). Immutable.
 *
 * @param from what it is, and which one
 * @param perCall whether the call is part of the key too: an event may be proposed for more than
 *     once
 * @param enough whether an action with side effects may do without a key of its own
 * @param call the plan that is nothing but a tool's call, whose action gets an entity too where
 *     nothing else gives one; null for any other proposal
 */
record KeySource(String from, boolean perCall, boolean enough, @Nullable PlanId call) {
  /** What every derived key begins with; no proposal may say one that does. */
  static final String PREFIX = "auto_";

  /** What the key of a call begins with that is a plan of its own. */
  static final String CALL_PREFIX = "mcp-";

  private KeySource(String from, boolean perCall, boolean enough) {
    this(from, perCall, enough, null);
  }

  /** A tool's call that is a plan of its own: its key names the plan. */
  static KeySource call(PlanId plan) {
    return new KeySource("call\n" + plan, false, true, plan);
  }

  /** The header of a request by this key or person: who tries again under it means the same. */
  static KeySource header(String retriedAs) {
    return new KeySource("header\n" + retriedAs, false, true);
  }

  /** The event that a proposal is for. */
  static KeySource event(Event event) {
    return new KeySource("event\n" + event.id(), true, true);
  }

  /** The time at which an operator was due. */
  static KeySource schedule(String run) {
    return new KeySource("schedule\n" + run, true, true);
  }

  /** The plan alone: tried again, it would be another, and so would its effects. */
  static KeySource plan(PlanId plan) {
    return new KeySource("plan\n" + plan, false, false);
  }

  /** The key of the action at this position. */
  String key(Operator operator, int position, @Nullable ObjectNode arguments) {
    if (call != null) {
      return CALL_PREFIX + call;
    }
    ObjectNode parts = Json.object();
    parts.put("tenant", operator.partition().tenant().value());
    parts.put("mode", operator.partition().mode().wire());
    parts.put("operator", operator.id().value());
    parts.put("from", from);
    parts.put("position", position);
    if (perCall) {
      parts.set("call", arguments);
    }
    return PREFIX + CanonicalJson.sha256(parts).substring(0, 32);
  }

  /**
   * The entity of a call that neither its arguments nor its operator name: what only reads stands
   * in nobody's way, all else waits for the calls of its tool before it.
   */
  Optional<String> madeEntity(Connector connector, Tool tool) {
    return Optional.ofNullable(call)
        .map(plan -> tool.hasSideEffects() ? connector.id() + ":" + tool.name() : "mcp:" + plan);
  }
}
