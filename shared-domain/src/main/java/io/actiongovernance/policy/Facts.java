package io.actiongovernance.policy;

import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Stored;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What policy goes by besides an action's tool and arguments: its value, its currency and its
 * entity, and whose word they are (contract, section 3). Immutable.
 *
 * @param value null where there is none
 * @param currency null where there is none
 * @param asserted those that are the proposer's word alone: no condition or limit can be evaluated
 *     on them
 * @param currencyInArgs whether a condition on the currency goes by the argument of that name: so
 *     it does of a script's action that neither binds nor says a currency
 */
public record Facts(
    @Nullable BigDecimal value,
    @Nullable String currency,
    EntityKey entityKey,
    @Stored("claimed") Set<Assertion> asserted,
    boolean currencyInArgs) {
  public Facts {
    asserted =
        asserted.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(asserted));
  }

  /** The tenant's own word, as of a script. */
  public static Facts of(@Nullable BigDecimal value, EntityKey entityKey) {
    return new Facts(value, null, entityKey, Set.of(), true);
  }

  /** Whether this field is an assertion. */
  public boolean asserts(Assertion field) {
    return asserted.contains(field);
  }

  /** The same once a person has approved them as they were shown: no assertions any more. */
  public Facts approved() {
    return new Facts(value, currency, entityKey, Set.of(), currencyInArgs);
  }
}
