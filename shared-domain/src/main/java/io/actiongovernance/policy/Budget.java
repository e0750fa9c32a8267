package io.actiongovernance.policy;

import static io.actiongovernance.policy.BudgetWindow.ACTIONS;
import static io.actiongovernance.policy.BudgetWindow.VALUE;
import static java.math.BigDecimal.ZERO;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One limit as it applies to one action.
 *
 * @param key the item it is counted in, one per value of the limit's {@code per}
 * @param amount what the action adds to the sum of values; null if that cannot be counted
 * @param tolerant whether the action is counted even past the limit
 */
record Budget(Key key, Limit limit, @Nullable BigDecimal amount, boolean tolerant) {

  static Budget of(
      Partition partition,
      OperatorId operator,
      Guardrail guardrail,
      Limit limit,
      Candidate candidate) {
    ArrayNode counted = Json.object().arrayNode();
    counted.add(limit.per() == Per.TENANT ? "" : operator.value());
    counted.add(guardrail.name());
    counted.add(limit.shape());
    counted.add(
        switch (limit.per()) {
          case ENTITY -> candidate.entityKey().value();
          case TOOL -> candidate.tool();
          case CONNECTOR -> candidate.connector().value();
          case OPERATOR, TENANT -> "";
        });
    // Hashed: names and entity keys are of any length and any characters.
    String hash = CanonicalJson.sha256(counted);
    return new Budget(
        Key.single(Table.LIMITS, partition.key("budget") + "#" + hash),
        limit,
        amount(limit, candidate.facts()),
        false);
  }

  /** What cannot be evaluated, because it is missing or an assertion, cannot be counted. */
  private static @Nullable BigDecimal amount(Limit limit, Facts facts) {
    if (limit.per() == Per.ENTITY && facts.asserts(Assertion.ENTITY_KEY)) {
      return null;
    }
    if (limit.maxValue() == null) {
      return ZERO;
    }
    BigDecimal value = facts.asserts(Assertion.VALUE) ? null : facts.value();
    return value != null && Amounts.canBeSummed(value) ? value.stripTrailingZeros() : null;
  }

  /**
   * The same, counting the action whatever the limit says; an amount that cannot be counted counts
   * as none.
   */
  Budget tolerated() {
    return new Budget(key, limit, amount == null ? ZERO : amount, true);
  }

  /** What must hold of the item's totals for this amount to be added. */
  List<Condition> room(BigDecimal adding) {
    List<Condition> room = new ArrayList<>();
    if (limit.maxActions() != null && !tolerant) {
      room.add(Condition.atMost(ACTIONS, limit.maxActions() - 1));
    }
    if (limit.maxValue() != null) {
      BigDecimal most = tolerant ? Amounts.MAX : limit.maxValue();
      room.add(Condition.atMost(VALUE, most.subtract(adding)));
    }
    return room;
  }

  /**
   * Whether the window takes these actions more, each of its amount, null for one that cannot be
   * counted.
   */
  boolean hasRoom(BudgetWindow window, List<@Nullable BigDecimal> adding) {
    BigDecimal value = window.value();
    for (BigDecimal one : adding) {
      if (one == null) {
        return false;
      }
      value = value.add(one);
    }
    Long maxActions = limit.maxActions();
    BigDecimal maxValue = limit.maxValue();
    return (maxActions == null || window.actions() + adding.size() <= maxActions)
        && (maxValue == null || value.compareTo(maxValue) <= 0);
  }
}
