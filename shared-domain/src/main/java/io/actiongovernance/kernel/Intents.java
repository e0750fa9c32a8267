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
 * States the intents to call, each with its claim of the idempotency key and what it reserves of
 * limits, in one transaction; and takes back those under which nothing was called. A call counts as
 * begun from its stored intent until that is taken back, so what goes wrong before the first byte
 * leaves is never an outcome. Thread-safe.
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
   * The intent to call, as this invocation has stated it.
   *
   * @param attempt tells it from that of another invocation
   * @param reservations what is reserved of limits for the call
   * @param interrupted whether an earlier call of the action was interrupted, so that the intent
   *     stands for that too
   * @param prior the action under whose unknown key this one calls again, or null
   */
  public record Intent(
      String attempt, List<Reservation> reservations, boolean interrupted, @Nullable Holder prior) {
    private Intent with(Reserve reserve) {
      return new Intent(attempt, reserve.reservations(), interrupted, prior);
    }
  }

  /**
   * What holds for calls of a tool when the intent is stated.
   *
   * @param retrySafe for how long after a call the source system takes another for the same; null
   *     if it does not
   * @param settle how long the entity is to settle after one of which nobody comes to know
   */
  record CallTerms(@Nullable Duration retrySafe, Duration settle) {}

  /** The claim of the action's key. */
  Optional<EffectClaim> find(Action action) {
    return claims.find(action);
  }

  /**
   * Claims the action's key, states the intent to call, for {@link KernelTimes#LEASE}, and reserves
   * its limits, in one step; where there are limits, with a look at the action, so that nothing is
   * reserved for one that was settled meanwhile. Without, that look is the caller's, before the
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

  /** What is known of the key comes first: then nothing is to be called, and no room is needed. */
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

  /** States the intent to make an interrupted call once more. */
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

  /** With a look at the action: nothing is written for one that is settled. */
  private static List<Write> looked(Action action, Write write) {
    return List.of(write, Actions.unsettled(action));
  }

  private IntentResult state(
      Action action, Intent intent, Reserve reserve, Supplier<List<Write>> writes) {
    Reserving.Result result;
    try {
      result = reserving.run(writes, reserve.entries());
    } catch (StoreUnavailable e) {
      // It may have been stored all the same.
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
   * Takes back an intent under which nothing was called, and what its limits reserved: what waits
   * may come to be evaluated by other guardrails, and may wait for longer than their windows. The
   * key stays the action's. An intent that stands for an interrupted call is left to run out.
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
   * Frees a key that its owner has no use for: it had been settled before it stated an intent to
   * call, so nothing was called under that.
   *
   * @param action any whose key it is
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
