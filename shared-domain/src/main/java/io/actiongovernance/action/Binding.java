package io.actiongovernance.action;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.policy.Assertion;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.policy.ProposerKind;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Single authority on an action's entity, value and currency. What the tool binds is computed from
 * the arguments, for every proposer, and a stated value must agree. What the tool leaves unbound is
 * the proposer's word: a fact if the proposer is the tenant's own, otherwise an assertion
 * (contract, section 3). Pure.
 */
public final class Binding {
  private Binding() {}

  /**
   * Statements of a proposer about an action besides its arguments; null for those it leaves out.
   *
   * @param filledIn the entity key from the operator's template, for an action that names none
   */
  public record Said(
      @Nullable EntityKey entityKey,
      @Nullable BigDecimal value,
      @Nullable String currency,
      @Nullable EntityKey filledIn) {}

  /** Result of binding an action. */
  public sealed interface Bound {
    record To(Facts facts) implements Bound {}

    /**
     * The action cannot be proposed.
     *
     * @param field the field of the action that is wrong
     * @param missing whether the field is left out and nothing else supplies it
     * @param why the reason, for people; begins with a verb
     */
    record Refused(String field, boolean missing, String why) implements Bound {}
  }

  private static final String ENTITY_KEY = "entity_key";

  public static Bound bind(Tool tool, JsonNode args, Said said, ProposerKind proposer) {
    Binds binds = tool.binds();
    Set<Assertion> asserted = EnumSet.noneOf(Assertion.class);
    boolean asserts = proposer == ProposerKind.AGENT;

    EntityKey entity;
    if (binds.bindsEntity()) {
      Optional<EntityKey> bound = binds.entityOf(args);
      if (bound.isEmpty()) {
        return new Bound.Refused(
            ENTITY_KEY, false, "is bound to the arguments, but they do not name an entity.");
      }
      if (said.entityKey() != null && !said.entityKey().equals(bound.get())) {
        return otherwise(ENTITY_KEY, bound.get().value());
      }
      entity = bound.get();
    } else {
      entity = said.entityKey() == null ? said.filledIn() : said.entityKey();
      if (entity == null) {
        return new Bound.Refused(ENTITY_KEY, true, "is required.");
      }
      if (asserts) {
        asserted.add(Assertion.ENTITY_KEY);
      }
    }

    BigDecimal value = said.value();
    if (binds.bindsValue()) {
      value = binds.valueOf(args).orElse(null);
      if (said.value() != null && (value == null || value.compareTo(said.value()) != 0)) {
        return otherwise("value", value == null ? null : value.toPlainString());
      }
    } else if (asserts && value != null) {
      asserted.add(Assertion.VALUE);
    }

    String currency = said.currency();
    if (binds.bindsCurrency()) {
      currency = binds.currencyOf(args).orElse(null);
      if (said.currency() != null && !Objects.equals(currency, said.currency())) {
        return otherwise("currency", currency);
      }
    } else if (asserts && currency != null) {
      asserted.add(Assertion.CURRENCY);
    }
    boolean currencyInArgs = !asserts && !binds.bindsCurrency() && currency == null;
    return new Bound.To(new Facts(value, currency, entity, asserted, currencyInArgs));
  }

  /**
   * Binds an action with amended arguments. What its tool leaves unbound keeps its earlier value as
   * an assertion, because nobody stated it for these arguments.
   */
  public static Bound bindAmended(Tool tool, JsonNode args, Facts before) {
    Binds binds = tool.binds();
    Said said =
        new Said(
            binds.bindsEntity() ? null : before.entityKey(),
            binds.bindsValue() ? null : before.value(),
            binds.bindsCurrency() ? null : before.currency(),
            null);
    return bind(tool, args, said, ProposerKind.AGENT);
  }

  /**
   * Binds the inverse of an action. What its tool leaves unbound is the original's, including
   * assertions. Empty if the inverse binds no entity, or another entity than the original's.
   */
  public static Optional<Facts> bindInverse(Tool inverse, JsonNode args, Facts original) {
    Binds binds = inverse.binds();
    if (binds.bindsEntity()
        && binds.entityOf(args).filter(original.entityKey()::equals).isEmpty()) {
      return Optional.empty();
    }
    Set<Assertion> asserted = EnumSet.noneOf(Assertion.class);
    asserted.addAll(original.asserted());
    if (binds.bindsEntity()) {
      asserted.remove(Assertion.ENTITY_KEY);
    }
    BigDecimal value = original.value();
    if (binds.bindsValue()) {
      value = binds.valueOf(args).orElse(null);
      asserted.remove(Assertion.VALUE);
    }
    String currency = original.currency();
    if (binds.bindsCurrency()) {
      currency = binds.currencyOf(args).orElse(null);
      asserted.remove(Assertion.CURRENCY);
    }
    boolean currencyInArgs = !binds.bindsCurrency() && original.currencyInArgs();
    return Optional.of(new Facts(value, currency, original.entityKey(), asserted, currencyInArgs));
  }

  private static Bound.Refused otherwise(String field, @Nullable String bound) {
    return new Bound.Refused(
        field,
        false,
        bound == null
            ? "must be left out: it is bound to the arguments, which give none."
            : "must be \"" + bound + "\" or be left out: it is bound to the arguments.");
  }
}
