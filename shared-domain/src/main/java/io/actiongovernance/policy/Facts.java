package io.actiongovernance.policy;

import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Stored;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fields that policy uses besides an action's tool and arguments: its value, currency and entity,
 * and who vouches for them (contract, section 3). Immutable.
 *
 * @param value null if none
 * @param currency null if none
 * @param asserted fields that rest on the proposer's word alone: no condition or limit can be
 *     evaluated on them
 * @param currencyInArgs whether a condition on the currency tests the argument of that name. This
 *     applies to a script's action that neither binds nor states a currency
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

  /** Returns facts that the tenant vouches for, such as a script's. */
  public static Facts of(@Nullable BigDecimal value, EntityKey entityKey) {
    return new Facts(value, null, entityKey, Set.of(), true);
  }

  public boolean asserts(Assertion field) {
    return asserted.contains(field);
  }

  /**
   * Returns these facts after a person approved them as shown. None of them is an assertion any
   * more.
   */
  public Facts approved() {
    return new Facts(value, currency, entityKey, Set.of(), currencyInArgs);
  }
}
