package io.actiongovernance.policy;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.tally.Reservation;
import io.actiongovernance.tally.ReservationEntry;
import io.actiongovernance.tally.Reserving;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Reserves limits in transactions of their own, over so many items. */
public final class ReservedLimits {
  static final String BODY = "01jd0000000000000000000000";
  static final Partition PARTITION = new Partition(new TenantId("t_" + BODY), Mode.LIVE);
  static final OperatorId OPERATOR = new OperatorId("op_" + BODY);

  private final Partition partition;
  private final int spread;
  private final Reserving reserving;
  final Budgets budgets;

  ReservedLimits(Store store, int spread, InstantSource clock) {
    this(store, PARTITION, spread, clock);
  }

  public ReservedLimits(Store store, Partition partition, int spread, InstantSource clock) {
    this.partition = partition;
    this.spread = spread;
    Transactions transactions = new Transactions(store, Sleeper.real(), new SplittableRandom(3));
    this.reserving = new Reserving(transactions);
    this.budgets = new Budgets(store, transactions, new SplittableRandom(4), clock);
  }

  /** What an attempt came to. */
  public sealed interface Result {
    record Reserved(List<Reservation> reservations) implements Result {}

    /** Nothing was reserved. */
    record Exceeded() implements Result {}
  }

  public Result reserve(Guardrail guardrail, Candidate candidate, Collection<Limit> tolerated) {
    return again(guardrail, candidate, tolerated, List.of());
  }

  /** The same for an action for which this was reserved before. */
  Result again(
      Guardrail guardrail,
      Candidate candidate,
      Collection<Limit> tolerated,
      List<Reservation> before) {
    Budgets.Called called = new Budgets.Called(partition, OPERATOR, guardrail, candidate, spread);
    Optional<Budgets.Reserve> reserve = budgets.reserve(called, tolerated, before);
    if (reserve.isEmpty()) {
      return new Result.Exceeded();
    }
    if (reserve.get().entries().isEmpty()) {
      return new Result.Reserved(reserve.get().reservations());
    }
    return switch (reserving.run(List::of, reserve.get().entries())) {
      case Reserving.Result.Done _ -> new Result.Reserved(reserve.get().reservations());
      case Reserving.Result.NoRoom(var entry) -> {
        assert entry instanceof ReservationEntry || !before.isEmpty();
        yield new Result.Exceeded();
      }
      case Reserving.Result.Refused refused -> throw new AssertionError(refused);
    };
  }

  /** Reserves what is drawn alone. */
  Reserving.Result run(ReservationEntry entry) {
    return reserving.run(List::of, List.of(entry));
  }

  public void giveBack(List<Reservation> reservations) {
    reserving.run(List::of, List.of(budgets.givingBack(reservations)));
  }
}
