package io.actiongovernance.policy;

import static java.math.BigDecimal.ZERO;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.tally.Amount;
import io.actiongovernance.tally.Bound;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One limit as it applies to one action.
 *
 * @param name the name of the tally that counts it; there is one for each value of the limit's
 *     {@code per}
 * @param key that value; null for an operator and a tenant
 * @param amount the amount that the action adds; null if it cannot be counted
 */
record Budget(String name, Limit limit, @Nullable String key, @Nullable Amount amount) {
  /** Number of hexadecimal digits of the hash that distinguishes tallies: 128 bits. */
  private static final int DIGITS = 32;

  static Budget of(
      Partition partition,
      OperatorId operator,
      Guardrail guardrail,
      Limit limit,
      Candidate candidate) {
    String key =
        switch (limit.per()) {
          case ENTITY -> candidate.entityKey().value();
          case TOOL -> candidate.tool();
          case CONNECTOR -> candidate.connector().value();
          case OPERATOR, TENANT -> null;
        };
    ArrayNode counted = Json.object().arrayNode();
    counted.add(limit.per() == Per.TENANT ? "" : operator.value());
    counted.add(guardrail.name());
    counted.add(limit.shape());
    counted.add(Objects.requireNonNullElse(key, ""));
    // Hashed, because names and entity keys may have any length and any characters.
    String hash = CanonicalJson.sha256(counted).substring(0, DIGITS);
    return new Budget(partition.key("limit#" + hash), limit, key, amount(limit, candidate.facts()));
  }

  /**
   * Returns the amount that the action adds. Null if the limit cannot count the action, because its
   * value is missing or cannot be summed, or because a field that the limit counts is an assertion.
   */
  private static @Nullable Amount amount(Limit limit, Facts facts) {
    if (limit.per() == Per.ENTITY && facts.asserts(Assertion.ENTITY_KEY)) {
      return null;
    }
    long actions = limit.maxActions() == null ? 0 : 1;
    if (limit.maxValue() == null) {
      return new Amount(actions, ZERO);
    }
    BigDecimal value = facts.asserts(Assertion.VALUE) ? null : facts.value();
    return value != null && Amounts.canBeSummed(value)
        ? new Amount(actions, value.stripTrailingZeros())
        : null;
  }

  /** Returns the bound that is exceeded beyond {@code total}, provided that one is. */
  LimitUse.Kind exceeded(Amount total) {
    Long most = limit.maxActions();
    boolean full = most != null && total.actions() >= most;
    return full || limit.maxValue() == null ? LimitUse.Kind.ACTIONS : LimitUse.Kind.VALUE;
  }

  Bound bound() {
    return new Bound(limit.maxActions(), limit.maxValue());
  }

  /**
   * Returns the bound for an action that counts but that the limit may not refuse. Only a sum that
   * cannot be added up is refused.
   */
  Bound tolerant() {
    return new Bound(null, limit.maxValue() == null ? null : Amounts.MAX);
  }

  /**
   * Returns the amount that an action adds if it is never refused. A value that cannot be counted
   * adds zero.
   */
  Amount tolerated() {
    return amount == null ? new Amount(limit.maxActions() == null ? 0 : 1, ZERO) : amount;
  }

  /**
   * Returns the number of items over which the tally is spread.
   *
   * @param ofTenant the number for the tenant's tallies
   */
  int spread(int ofTenant) {
    return limit.per() == Per.ENTITY ? 1 : Math.min(ofTenant, MOST_ITEMS);
  }

  /**
   * Maximum number of items of a tally. An action reads all items of its limits in one transaction,
   * which must have room for other items.
   */
  static final int MOST_ITEMS = 8;
}
