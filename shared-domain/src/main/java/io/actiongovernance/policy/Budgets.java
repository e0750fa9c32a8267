package io.actiongovernance.policy;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.policy.BudgetWindow.Mark;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Store.Written;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts actions against the {@code limits} of the guardrails that decided them, in sliding windows
 * (contract, section 3).
 *
 * <p>Each limit has one item per value of its {@code per}. A reservation is a single conditional
 * update of it, so that any number of concurrent ones reserve exactly what there is; a write more
 * is needed when a new sixtieth of the window has begun. What cannot be counted fails closed: on a
 * limit with {@code max_value}, an action with no value, a negative one, or one past 20 digits
 * before or 18 after the point, exceeds it.
 *
 * <p>Thread-safe. A fault of the store passes through; every method may then be called again.
 */
public final class Budgets {
  private static final int MAX_ATTEMPTS = 100;

  private final Store store;
  private final InstantSource clock;

  public Budgets(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * The evaluation of an action as it is proposed, under the limits of the guardrail that decided
   * it: an exceeded limit turns ALLOW into ALERT. Writes nothing.
   *
   * @param evaluation what the guardrails alone came to
   * @param before earlier actions of the same plan that the same guardrail decided
   */
  public Evaluation underLimits(
      Partition partition,
      OperatorId operator,
      Evaluation evaluation,
      Candidate candidate,
      List<Candidate> before) {
    Verdict verdict = evaluation.verdict();
    Guardrail guardrail = evaluation.guardrail();
    if (guardrail == null || verdict.decision() != Decision.ALLOW) {
      return evaluation;
    }
    List<Limit> limits = exceeded(partition, operator, guardrail, candidate, before);
    return limits.isEmpty() ? evaluation : evaluation.alert(limits);
  }

  /** The limits that an action would exceed as it is proposed. */
  List<Limit> exceeded(
      Partition partition,
      OperatorId operator,
      Guardrail guardrail,
      Candidate candidate,
      List<Candidate> before) {
    List<Budget> budgets =
        guardrail.limits().stream()
            .map(limit -> Budget.of(partition, operator, guardrail, limit, candidate))
            .toList();
    Map<Key, BudgetWindow> windows = windows(budgets);
    List<Limit> exceeded = new ArrayList<>();
    for (Budget budget : budgets) {
      List<@Nullable BigDecimal> adding = new ArrayList<>();
      for (Candidate other : before) {
        Budget same = Budget.of(partition, operator, guardrail, budget.limit(), other);
        if (same.key().equals(budget.key())) {
          adding.add(same.amount());
        }
      }
      adding.add(budget.amount());
      BudgetWindow window = windows.getOrDefault(budget.key(), BudgetWindow.empty(budget.key()));
      if (!budget.hasRoom(window.at(slot(budget)), adding)) {
        exceeded.add(budget.limit());
      }
    }
    return exceeded;
  }

  private Map<Key, BudgetWindow> windows(List<Budget> budgets) {
    return budgets.isEmpty()
        ? Map.of()
        : store.getAll(budgets.stream().map(Budget::key).toList()).stream()
            .collect(Collectors.toMap(Item::key, BudgetWindow::new));
  }

  private long slot(Budget budget) {
    return BudgetWindow.slot(clock.millis(), budget.limit());
  }

  /** The names of what {@link #reserve} would reserve. */
  public List<String> reservations(
      Partition partition, OperatorId operator, Guardrail guardrail, Candidate candidate) {
    return guardrail.limits().stream()
        .map(limit -> Budget.of(partition, operator, guardrail, limit, candidate))
        .map(budget -> budget.key().partition())
        .toList();
  }

  /**
   * Counts an action that is about to run, against all limits of its guardrail or, if one refuses,
   * none. Reserving again for the same action counts it once, at the later time, until it is
   * settled; whoever reserves after that settles again.
   *
   * @param tolerated the limits that the approved verdict was ALERT because of: they count the
   *     action, and never refuse it
   */
  public ReserveResult reserve(
      Partition partition,
      OperatorId operator,
      ActionId action,
      Guardrail guardrail,
      Candidate candidate,
      Collection<Limit> tolerated) {
    List<String> reservations = new ArrayList<>();
    for (Limit limit : guardrail.limits()) {
      Budget budget = Budget.of(partition, operator, guardrail, limit, candidate);
      if (!reserve(action, tolerated.contains(limit) ? budget.tolerated() : budget)) {
        settle(action, reservations, false);
        return new ReserveResult.Exceeded(limit);
      }
      reservations.add(budget.key().partition());
    }
    return new ReserveResult.Reserved(reservations);
  }

  /**
   * Ends an action's reservations. Settling what is settled changes nothing.
   *
   * @param reservations what {@link ReserveResult.Reserved} named
   * @param keep whether the action goes on counting, since it was applied; else it is released. Of
   *     one whose outcome is unknown nothing is settled until somebody resolves it
   */
  public void settle(ActionId action, List<String> reservations, boolean keep) {
    String mark = BudgetWindow.mark(action);
    for (String reservation : reservations) {
      Key key = Key.single(Table.LIMITS, reservation);
      if (keep) {
        store.write(
            Write.update(
                key,
                Condition.has(mark),
                Change.remove(mark),
                Change.add(BudgetWindow.VERSION, 1)));
      } else {
        release(action, key);
      }
    }
  }

  private boolean reserve(ActionId action, Budget budget) {
    BigDecimal amount = budget.amount();
    if (amount == null) {
      return false;
    }
    long slot = slot(budget);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Mark mark = new Mark(slot, amount);
      if (!(store.write(count(action, budget, mark)) instanceof Written.Refused(var found))) {
        return true;
      }
      BudgetWindow window =
          found.map(BudgetWindow::new).orElseGet(() -> BudgetWindow.empty(budget.key()));
      if (found.isEmpty() || window.epoch() < slot) {
        rotate(window, slot, budget.limit(), found.isPresent());
        continue;
      }
      Optional<Mark> reserved = window.markOf(action);
      if (reserved.isEmpty() && window.epoch() == slot) {
        return false;
      }
      if (reserved.isPresent()
          && (reserved.get().slot() >= slot || move(action, budget, reserved.get(), mark))) {
        return true;
      }
      // Another machine's clock is ahead: what is counted in its sixtieth counts for longer, never
      // shorter.
      slot = Math.max(slot(budget), window.epoch());
    }
    throw contended(budget.key());
  }

  /** The one write of the common case. */
  private Write count(ActionId action, Budget budget, Mark mark) {
    List<Change> changes = new ArrayList<>(mark.count(1));
    changes.add(Change.add(BudgetWindow.ACTIONS, 1));
    changes.add(Change.add(BudgetWindow.VALUE, mark.amount()));
    changes.addAll(marking(action, budget, mark));
    List<Condition> conditions = new ArrayList<>(budget.room(mark.amount()));
    conditions.add(equal(BudgetWindow.EPOCH, mark.slot()));
    conditions.add(lacks(BudgetWindow.mark(action)));
    return Write.update(budget.key(), new Condition.And(conditions), changes);
  }

  /** An action that was reserved a while ago runs only now, and counts from now on. */
  private boolean move(ActionId action, Budget budget, Mark from, Mark to) {
    Mark moved = new Mark(to.slot(), from.amount());
    List<Change> changes = new ArrayList<>(from.count(-1));
    changes.addAll(moved.count(1));
    changes.addAll(marking(action, budget, moved));
    return store
        .write(
            Write.update(
                budget.key(),
                and(
                    equal(BudgetWindow.EPOCH, moved.slot()),
                    equal(BudgetWindow.mark(action), from.text())),
                changes))
        .done();
  }

  private List<Change> marking(ActionId action, Budget budget, Mark mark) {
    return List.of(
        Change.set(BudgetWindow.mark(action), mark.text()),
        Change.add(BudgetWindow.VERSION, 1),
        Change.set(Table.EXPIRES, expiry(budget.limit())));
  }

  /**
   * Takes out what has left the window; if another write came in between, the caller looks again.
   */
  private void rotate(BudgetWindow window, long slot, Limit limit, boolean exists) {
    Condition unchanged =
        exists ? equal(BudgetWindow.VERSION, window.version()) : Condition.absent();
    store.write(Write.put(window.at(slot).next(expiry(limit)), unchanged));
  }

  private void release(ActionId action, Key key) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Optional<Mark> reserved =
          store.get(key).map(BudgetWindow::new).flatMap(window -> window.markOf(action));
      if (reserved.isEmpty()) {
        return;
      }
      Mark mark = reserved.get();
      List<Change> changes = new ArrayList<>(mark.count(-1));
      changes.add(Change.add(BudgetWindow.ACTIONS, -1));
      changes.add(Change.add(BudgetWindow.VALUE, mark.amount().negate()));
      changes.add(Change.remove(BudgetWindow.mark(action)));
      changes.add(Change.add(BudgetWindow.VERSION, 1));
      Condition unmoved = equal(BudgetWindow.mark(action), mark.text());
      if (store.write(Write.update(key, unmoved, changes)).done()) {
        return;
      }
    }
    throw contended(key);
  }

  /** When nothing in the item counts any more, with room to spare for clocks that differ. */
  private long expiry(Limit limit) {
    return clock.instant().getEpochSecond() + 2 * limit.windowSeconds() + 3_600;
  }

  private static IllegalStateException contended(Key key) {
    return new IllegalStateException("Too many writes at once to the budget " + key.partition());
  }
}
