package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Budgets.Reserve;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.LimitUse;
import io.actiongovernance.store.Store;
import io.actiongovernance.tally.Reservation;
import io.actiongovernance.tally.ReservationEntry;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reserves the limits of the guardrail that lets an action be called. Thread-safe. */
public final class ReserveLimits {
  private final Store store;
  private final Budgets budgets;

  public ReserveLimits(Store store, Budgets budgets) {
    this.store = store;
    this.budgets = budgets;
  }

  /**
   * Returns the reservations to make for a call. A limit that was known to be exceeded when the
   * action was requested does not refuse it.
   *
   * @param before reservations of an earlier call of the action, which count for this call instead
   * @param prior the action under whose unknown key this one calls again, or null
   * @return empty if a limit cannot count the action, and so refuses it
   */
  Optional<Reserve> of(Calling calling, List<Reservation> before, @Nullable Holder prior) {
    Guardrail guardrail = calling.evaluation().guardrail();
    if (guardrail == null) {
      return Optional.of(new Reserve(List.of(), before));
    }
    Budgets.Called called = called(calling, guardrail);
    Action action = calling.action();
    Set<Limit> tolerated = new HashSet<>(tolerated(action.terms(), guardrail));
    if (prior != null) {
      tolerated.addAll(budgets.counting(called, reservedFor(action, prior)));
    }
    return budgets.reserve(called, tolerated, before);
  }

  /**
   * Returns the limit that refuses a call.
   *
   * @param full the reservation without room; null if a limit cannot count the action
   */
  LimitUse refusing(Calling calling, @Nullable ReservationEntry full) {
    Guardrail guardrail = Objects.requireNonNull(calling.evaluation().guardrail());
    return budgets.refusing(called(calling, guardrail), full);
  }

  private static Budgets.Called called(Calling calling, Guardrail guardrail) {
    Action action = calling.action();
    return new Budgets.Called(
        action.partition(),
        action.terms().operatorId(),
        guardrail,
        calling.counted(),
        calling.execution().spread());
  }

  /**
   * Returns the reservations of the action under whose unknown key another action calls again. Both
   * stand for one effect, and one of the two reservations is given back later.
   */
  private List<Reservation> reservedFor(Action action, Holder prior) {
    return store
        .get(Actions.key(action.partition(), prior.action()))
        .map(Actions::read)
        .map(Action::disposal)
        .map(Action.Disposal::reservations)
        .orElse(List.of());
  }

  /**
   * Returns the limits that were known to be exceeded when the action was requested nevertheless.
   * If the guardrail asks for an approval, a request to undo does not approve exceeding a limit.
   */
  private static Collection<Limit> tolerated(Action.Terms terms, Guardrail guardrail) {
    if (terms.undoing() != null && guardrail.approval() == null) {
      return guardrail.limits();
    }
    boolean sameRule = guardrail.name().equals(terms.verdict().rule());
    return sameRule ? terms.limitedBy() : List.of();
  }
}
