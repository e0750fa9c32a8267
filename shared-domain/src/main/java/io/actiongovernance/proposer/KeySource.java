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
 * Source of the idempotency keys that a proposal leaves out, so that the same proposal made again
 * gets the same keys (contract, section 2). Immutable.
 *
 * @param from kind and identifier of the source
 * @param perCall whether the call is part of the key too, because several proposals may be made for
 *     one event
 * @param enough whether an action with side effects may lack a key of its own
 * @param call the plan, if it is only a tool's call. Its action gets an entity if nothing else
 *     supplies one; null for any other proposal
 */
record KeySource(String from, boolean perCall, boolean enough, @Nullable PlanId call) {
  /** Prefix of every derived key; no proposal may give a key that starts with it. */
  static final String PREFIX = "auto_";

  /** Prefix of the key of a call that is a separate plan. */
  static final String CALL_PREFIX = "mcp-";

  private KeySource(String from, boolean perCall, boolean enough) {
    this(from, perCall, enough, null);
  }

  /** Returns the source for a tool's call that is a separate plan, whose key names the plan. */
  static KeySource call(PlanId plan) {
    return new KeySource("call\n" + plan, false, true, plan);
  }

  /**
   * Returns the source for a request header of this key or person. A retry under the same header
   * means the same proposal.
   */
  static KeySource header(String retriedAs) {
    return new KeySource("header\n" + retriedAs, false, true);
  }

  static KeySource event(Event event) {
    return new KeySource("event\n" + event.id(), true, true);
  }

  /** Returns the source for the time at which an operator was due. */
  static KeySource schedule(String run) {
    return new KeySource("schedule\n" + run, true, true);
  }

  /** Returns the source for the plan alone. Another attempt is another plan with other effects. */
  static KeySource plan(PlanId plan) {
    return new KeySource("plan\n" + plan, false, false);
  }

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
   * Returns the entity of a call if neither its arguments nor its operator name one. A call that
   * only reads blocks no other call. Any other call waits for the earlier calls of its tool.
   */
  Optional<String> madeEntity(Connector connector, Tool tool) {
    return Optional.ofNullable(call)
        .map(plan -> tool.hasSideEffects() ? connector.id() + ":" + tool.name() : "mcp:" + plan);
  }
}
