package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.kernel.EffectClaims.Holder;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.ReserveResult;
import io.actiongovernance.store.Store;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reserves the limits of the guardrail by which an action is called. Thread-safe. */
public final class ReserveLimits {
  private final Store store;
  private final Budgets budgets;

  public ReserveLimits(Store store, Budgets budgets) {
    this.store = store;
    this.budgets = budgets;
  }

  /** What is reserved for the action, whether or not it is yet. */
  List<String> reservations(Calling calling) {
    Guardrail guardrail = calling.evaluation().guardrail();
    Action action = calling.action();
    return guardrail == null
        ? List.of()
        : budgets.reservations(
            action.partition(), action.terms().operatorId(), guardrail, calling.counted());
  }

  /**
   * Reserves, unless a limit is exceeded that was not when somebody asked for the action.
   *
   * @param prior the action under whose unknown key this one calls again, or null
   */
  ReserveResult reserve(Calling calling, Guardrail guardrail, @Nullable Holder prior) {
    Action action = calling.action();
    Action.Terms terms = action.terms();
    Set<Limit> tolerated = new HashSet<>(tolerated(terms, guardrail));
    if (prior != null) {
      tolerated.addAll(sharedWith(prior, calling, guardrail));
    }
    return budgets.reserve(
        action.partition(),
        terms.operatorId(),
        action.id(),
        guardrail,
        calling.counted(),
        tolerated);
  }

  /**
   * The limits that count the action already under whose unknown key this one calls again: both
   * stand for one effect, and one of the two reservations is given back in the end.
   */
  private Set<Limit> sharedWith(Holder prior, Calling calling, Guardrail guardrail) {
    Set<String> theirs =
        store
            .get(Actions.key(calling.action().partition(), prior.action()))
            .map(Actions::read)
            .map(Action::disposal)
            .map(disposal -> Set.copyOf(disposal.reservations()))
            .orElse(Set.of());
    List<String> own = reservations(calling);
    Set<Limit> shared = new HashSet<>();
    for (int at = 0; at < own.size(); at++) {
      if (theirs.contains(own.get(at))) {
        shared.add(guardrail.limits().get(at));
      }
    }
    return shared;
  }

  /** The limits that were known to be exceeded when somebody asked for the action all the same. */
  private static Collection<Limit> tolerated(Action.Terms terms, Guardrail guardrail) {
    if (terms.undoing() != null) {
      return guardrail.limits();
    }
    boolean sameRule = guardrail.name().equals(terms.verdict().rule());
    return sameRule ? terms.limitedBy() : List.of();
  }

  /** Gives back what was reserved for an action that is not called. */
  void giveBack(Action action, List<String> reservations) {
    budgets.settle(action.id(), reservations, false);
  }
}
