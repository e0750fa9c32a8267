package io.actiongovernance.operator;

import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.less;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.Principal;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store.Transacted;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One write of an operator. One transaction writes its row and what the change affects of names,
 * guardrails and the quota of active operators. Collects the writes and interprets the refusal of
 * each. Not thread-safe.
 */
final class OperatorWrites {
  private final List<Write> writes = new ArrayList<>();
  private final List<@Nullable Outcome<Operator>> refusals = new ArrayList<>();
  private final Operator operator;
  private final By by;

  private OperatorWrites(Operator operator, By by) {
    this.operator = operator;
    this.by = by;
  }

  /**
   * The author and origin of a write.
   *
   * @param request minted for the request
   * @param note kept with the guardrails, if they change
   */
  record By(Principal principal, String request, @Nullable String note) {}

  /** Collects the writes of a new operator. */
  static OperatorWrites create(Operator operator, By by, Write receipt) {
    OperatorWrites all = new OperatorWrites(operator, by);
    all.add(Write.insert(OperatorItems.row(operator, 1, by.request())), null);
    all.add(receipt, null);
    all.takeName();
    all.keepGuardrails();
    all.add(Write.insert(OperatorItems.home(operator.partition(), operator.id())), null);
    if (operator.status() == OperatorStatus.ACTIVE) {
      all.add(OperatorRoster.enlist(operator, 1), null);
      all.activate();
    }
    return all;
  }

  /**
   * Collects the writes that replace an operator.
   *
   * @param found the row it was read from: if that has changed, nothing is written
   * @param receipt of the change: if it exists already, the change was made before
   */
  static OperatorWrites replace(Item found, Operator before, Operator after, By by, Write receipt) {
    OperatorWrites all = new OperatorWrites(after, by);
    long row = found.whole(OperatorItems.ROW, 0);
    all.add(
        Write.put(OperatorItems.row(after, row + 1, by.request()), equal(OperatorItems.ROW, row)),
        null);
    all.add(receipt, Outcome.done(before));
    if (!after.name().equals(before.name())) {
      all.takeName();
      all.freeName(before);
    }
    if (after.guardrailsVersion() != before.guardrailsVersion()) {
      all.keepGuardrails();
    }
    if (after.status() == OperatorStatus.ARCHIVED) {
      all.freeName(before);
    }
    boolean wasActive = before.status() == OperatorStatus.ACTIVE;
    boolean isActive = after.status() == OperatorStatus.ACTIVE;
    if (isActive) {
      all.add(OperatorRoster.enlist(after, row + 1), null);
    }
    if (isActive && !wasActive) {
      all.activate();
    }
    if (wasActive && !isActive) {
      all.add(OperatorRoster.leave(after), null);
      all.deactivate();
    }
    return all;
  }

  /** Runs the transaction; empty if the row was no longer as found. */
  Optional<Outcome<Operator>> run(Transactions transactions) {
    return switch (transactions.run(writes)) {
      case Transacted.Done _ -> Optional.of(Outcome.done(operator));
      case Transacted.Refused refused when refused.of(0).isPresent() -> Optional.empty();
      case Transacted.Refused refused ->
          refused.refusals().stream()
              .flatMap(refusal -> Optional.ofNullable(refusals.get(refusal.position())).stream())
              .findFirst();
      case Transacted.Contended _ -> Optional.empty();
    };
  }

  private void add(Write write, @Nullable Outcome<Operator> refused) {
    writes.add(write);
    refusals.add(refused);
  }

  private void keepGuardrails() {
    add(Write.insert(OperatorItems.version(operator, by.principal(), by.note())), null);
    OperatorItems.guardrails(operator).ifPresent(item -> add(Write.insert(item), null));
  }

  private void takeName() {
    add(
        Write.insert(OperatorItems.nameMarker(operator)),
        Outcome.refused(
            new Refusal.Conflict("An operator named " + operator.name() + " already exists.")));
  }

  private void freeName(Operator before) {
    add(
        Write.delete(
            OperatorItems.nameKey(before.partition(), before.name()),
            equal(OperatorItems.HOLDER, before.id().value())),
        null);
  }

  private void activate() {
    add(
        Write.update(
            OperatorItems.quotaKey(operator.partition()),
            or(lacks(OperatorItems.ACTIVE), less(OperatorItems.ACTIVE, Operators.ACTIVE_QUOTA)),
            Change.add(OperatorItems.ACTIVE, 1)),
        Outcome.refused(
            new Refusal.QuotaExceeded(
                "The tenant already has "
                    + Operators.ACTIVE_QUOTA
                    + " active operators, the maximum. Pause or archive one first.")));
  }

  private void deactivate() {
    add(
        Write.update(
            OperatorItems.quotaKey(operator.partition()),
            Condition.always(),
            Change.add(OperatorItems.ACTIVE, -1)),
        null);
  }
}
