package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.Ids;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Budgets.Reserve;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Entry;
import io.actiongovernance.tally.Reservation;
import io.actiongovernance.tally.ReservationEntry;
import io.actiongovernance.tally.Reserving;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * States intents to call, each in one transaction with its claim of the idempotency key and its
 * reservations. Takes back intents under which nothing was called. A call counts as begun while its
 * intent is stored, so a fault before the first byte is never an outcome. Thread-safe.
 */
public final class Intents {
  private static final int TRIES = 3;

  private final EffectClaims claims;
  private final Actions actions;
  private final Budgets budgets;
  private final Transactions transactions;
  private final Reserving reserving;
  private final Ids ids;

  public Intents(
      EffectClaims claims, Actions actions, Budgets budgets, Transactions transactions, Ids ids) {
    this.claims = claims;
    this.actions = actions;
    this.budgets = budgets;
    this.transactions = transactions;
    this.reserving = new Reserving(transactions);
    this.ids = ids;
  }

  /**
   * Intent to call, as this invocation has stated it.
   *
   * @param attempt distinguishes it from the intent of another invocation
   * @param reservations limits reserved for the call
   * @param interrupted whether an earlier call of the action was interrupted, so that the intent
   *     stands for that call too
   * @param prior the action under whose unknown key this one calls again, or null
   */
  public record Intent(
      String attempt, List<Reservation> reservations, boolean interrupted, @Nullable Holder prior) {
    private Intent with(Reserve reserve) {
      return new Intent(attempt, reserve.reservations(), interrupted, prior);
    }
  }

  /**
   * Terms of a tool's calls when the intent is stated.
   *
   * @param retrySafe how long after a call the source system treats another one as the same call;
   *     null if it does not
   * @param settle how long the entity settles after a call whose outcome stays unknown
   */
  record CallTerms(@Nullable Duration retrySafe, Duration settle) {}

  Optional<EffectClaim> find(Action action) {
    return claims.find(action);
  }

  /**
   * Claims the action's key, states the intent to call for {@link KernelTimes#LEASE} and reserves
   * its limits, in one step. With limits, the step checks that the action is unsettled, so that
   * nothing is reserved for a settled action. Without limits, the caller checks this before the
   * call ({@link StartPermit}).
   *
   * @param reserve empty if a limit cannot count the action
   */
  IntentResult claim(Action action, Optional<Reserve> reserve, CallTerms terms, Instant now) {
    @Nullable Duration retrySafe = terms.retrySafe();
    if (reserve.isEmpty()) {
      return withoutRoom(action, new IntentResult.NoRoom(null), retrySafe, now);
    }
    Reserve reserved = reserve.get();
    Intent intent = new Intent(ids.next(), List.of(), false, null);
    IntentResult claimed =
        state(
            action,
            intent,
            reserved,
            () -> {
              Write put =
                  Write.put(
                      item(action, intent.with(reserved), terms, now),
                      or(
                          absent(),
                          equal("state", State.FREE.name()),
                          and(EffectClaims.owned(action, State.PACED), lacks("prior"))));
              return reserved.entries().isEmpty() ? List.of(put) : looked(action, put);
            });
    return switch (claimed) {
      case IntentResult.NoRoom noRoom -> withoutRoom(action, noRoom, retrySafe, now);
      case IntentResult.Taken(EffectClaim claim) ->
          IntentResult.obstacle(action, claim, retrySafe, now).orElse(claimed);
      default -> claimed;
    };
  }

  /**
   * Returns the obstacle that the key has, if any, rather than the lack of room: nothing will be
   * called then, so no room is needed.
   */
  private IntentResult withoutRoom(
      Action action, IntentResult.NoRoom noRoom, @Nullable Duration retrySafe, Instant now) {
    return claims
        .find(action)
        .flatMap(claim -> IntentResult.obstacle(action, claim, retrySafe, now))
        .orElse(noRoom);
  }

  /** States the intent to call again under a key whose effect is unknown. */
  IntentResult again(
      Action action, Reserve reserve, IntentResult.Repeatable of, CallTerms terms, Instant now) {
    EffectClaim claim = of.claim();
    Intent intent = new Intent(ids.next(), List.of(), false, of.prior());
    return state(
        action,
        intent,
        reserve,
        () ->
            looked(
                action,
                Write.update(
                    EffectClaims.key(action),
                    EffectClaims.owned(claim.owner(), claim.state()),
                    takenOver(item(action, intent.with(reserve), terms, now), of.prior()))));
  }

  private static List<Change> takenOver(Item claim, Holder prior) {
    List<Change> changes = new ArrayList<>();
    claim.attributes().forEach((name, value) -> changes.add(new Change.Assign(name, value)));
    changes.add(Change.set("prior", Json.write(prior)));
    return changes;
  }

  /** States the intent to make an interrupted call again. */
  IntentResult resume(Action action, Reserve reserve, EffectClaim interrupted, Instant now) {
    Intent intent = new Intent(ids.next(), List.of(), true, interrupted.prior());
    return state(
        action,
        intent,
        reserve,
        () ->
            looked(
                action,
                Write.update(
                    EffectClaims.key(action),
                    and(
                        EffectClaims.owned(action, State.INTENT),
                        equal("attempt", interrupted.attempt())),
                    Change.set("attempt", intent.attempt()),
                    Change.set("lease_until", now.plus(KernelTimes.LEASE).toEpochMilli()),
                    Change.set("holds", Json.write(reserve.reservations())))));
  }

  /**
   * Adds the check that the action is unsettled, so that nothing is written for a settled action.
   */
  private static List<Write> looked(Action action, Write write) {
    return List.of(write, Actions.unsettled(action));
  }

  private IntentResult state(
      Action action, Intent intent, Reserve reserve, Supplier<List<Write>> writes) {
    Reserving.Result result;
    try {
      result = reserving.run(writes, reserve.entries());
    } catch (StoreUnavailable e) {
      // The intent may have been stored nevertheless.
      takeBack(action, intent.with(reserve));
      throw e;
    }
    return switch (result) {
      case Reserving.Result.Done _ -> new IntentResult.Stated(intent.with(reserve));
      case Reserving.Result.NoRoom(Entry entry) ->
          new IntentResult.NoRoom(entry instanceof ReservationEntry full ? full : null);
      case Reserving.Result.Refused(Store.Transacted.Refused refused) ->
          refused.of(1).isPresent()
              ? new IntentResult.Settled()
              : new IntentResult.Taken(
                  refused.of(0).flatMap(Store.Refusal::found).map(EffectClaim::read).orElseThrow());
    };
  }

  /**
   * Takes back an intent under which nothing was called, with its reservations. Otherwise they
   * would be held by a waiting action, which may later meet other guardrails, or wait longer than
   * their windows. The key remains the action's. An intent that stands for an interrupted call is
   * left to expire.
   */
  void takeBack(Action action, Intent intent) {
    if (intent.interrupted()) {
      return;
    }
    Write back =
        Write.update(
            EffectClaims.key(action),
            and(EffectClaims.owned(action, State.INTENT), equal("attempt", intent.attempt())),
            Change.set("state", State.PACED.name()),
            Change.set("holds", Json.write(List.of())),
            Change.remove("result"));
    for (int attempt = 1; ; attempt++) {
      try {
        reserving.run(() -> List.of(back), List.of(budgets.givingBack(intent.reservations())));
        return;
      } catch (StoreUnavailable e) {
        if (attempt == TRIES) {
          throw e;
        }
        transactions.pause(attempt);
      }
    }
  }

  /**
   * Frees a key that its owner does not need, because the owner was settled before it stated an
   * intent to call. Nothing was called under that intent.
   *
   * @param action any action with this key
   * @return whether the key is free now
   */
  boolean free(EffectClaim claim, Action action) {
    boolean open = claim.state() == State.INTENT || claim.state() == State.PACED;
    if (!open
        || claim.prior() != null
        || actions.find(action.partition(), claim.owner()).filter(Action::settled).isEmpty()) {
      return false;
    }
    return claims.free(claim, action);
  }

  private static Item item(Action action, Intent intent, CallTerms terms, Instant now) {
    return EffectClaims.item(
        action,
        State.INTENT,
        intent.attempt(),
        now,
        now.plus(KernelTimes.LEASE),
        terms.settle(),
        Json.write(intent.reservations()));
  }
}
