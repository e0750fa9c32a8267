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
 * The one place that says what an action's entity, value and currency are: what the tool binds is
 * computed from the arguments, whoever proposes, and a word beside it must say the same; what it
 * leaves unbound is the proposer's word, which counts if it is the tenant's own and is an assertion
 * otherwise (contract, section 3). Pure.
 */
public final class Binding {
  private Binding() {}

  /**
   * What a proposer says of an action besides its arguments; null for what it leaves out.
   *
   * @param filledIn the entity key that the operator's template gives for it, where it names none
   */
  public record Said(
      @Nullable EntityKey entityKey,
      @Nullable BigDecimal value,
      @Nullable String currency,
      @Nullable EntityKey filledIn) {}

  /** What binding an action came to. */
  public sealed interface Bound {
    /** The fields that policy goes by. */
    record To(Facts facts) implements Bound {}

    /**
     * It cannot be proposed.
     *
     * @param field of the action that is wrong
     * @param missing whether it is left out, and nothing else gives it
     * @param why for people; begins with a verb
     */
    record Refused(String field, boolean missing, String why) implements Bound {}
  }

  private static final String ENTITY_KEY = "entity_key";

  /** Binds an action of the tool with these arguments. */
  public static Bound bind(Tool tool, JsonNode args, Said said, ProposerKind proposer) {
    Binds binds = tool.binds();
    Set<Assertion> asserted = EnumSet.noneOf(Assertion.class);
    boolean asserts = proposer == ProposerKind.AGENT;

    EntityKey entity;
    if (binds.bindsEntity()) {
      Optional<EntityKey> bound = binds.entityOf(args);
      if (bound.isEmpty()) {
        return new Bound.Refused(
            ENTITY_KEY, false, "is bound to the arguments, and they do not name it.");
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
   * Binds an action whose arguments somebody amends: what its tool leaves unbound is what was said
   * of it before, as an assertion, since nobody said it of these arguments.
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
   * Binds the inverse of an action: what its tool leaves unbound is the original's, assertions
   * included. Empty if what it binds names another entity than the original's, or none.
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
        "is bound to the arguments, which say " + (bound == null ? "none." : "\"" + bound + "\"."));
  }
}
