package io.actiongovernance.policy;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.tally.Amount;
import io.actiongovernance.tally.Bound;
import io.actiongovernance.tally.Count;
import io.actiongovernance.tally.Entry;
import io.actiongovernance.tally.GivingBack;
import io.actiongovernance.tally.Moving;
import io.actiongovernance.tally.Reservation;
import io.actiongovernance.tally.ReservationEntry;
import io.actiongovernance.tally.Tallies;
import io.actiongovernance.tally.Tally;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counts actions against the {@code limits} of the guardrails that decided them, in sliding windows
 * (contract, section 3).
 *
 * <p>Each limit has one tally for each value of its {@code per}. The transaction that starts a call
 * checks the tally and reserves in it, so concurrent actions never reserve more than there is. An
 * action that cannot be counted is refused: a limit with {@code max_value} is exceeded by an action
 * with no value, or a negative one. A value with more than 20 digits before or 18 after the point
 * also exceeds it.
 *
 * <p>Thread-safe. Faults of the store are passed on; every method may then be called again.
 */
public final class Budgets {
  private final Tallies tallies;
  private final Transactions transactions;
  private final RandomGenerator random;
  private final InstantSource clock;

  public Budgets(
      Store store, Transactions transactions, RandomGenerator random, InstantSource clock) {
    this.tallies = new Tallies(store);
    this.transactions = transactions;
    this.random = random;
    this.clock = clock;
  }

  /**
   * Evaluates an action at proposal under the limits of the guardrail that decided it. An exceeded
   * limit turns ALLOW into ALERT. Writes nothing.
   *
   * @param evaluation the result of the guardrails alone
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
    List<Exceeded> limits = exceeded(partition, operator, guardrail, candidate, before);
    return limits.isEmpty()
        ? evaluation
        : evaluation.alert(limits.stream().map(Exceeded::limit).toList(), limits.getFirst().use());
  }

  /** A limit that an action exceeds, and how much of it is used. */
  record Exceeded(Limit limit, LimitUse use) {}

  /** Returns the limits that an action would exceed at proposal. */
  List<Exceeded> exceeded(
      Partition partition,
      OperatorId operator,
      Guardrail guardrail,
      Candidate candidate,
      List<Candidate> before) {
    Map<Limit, Tally> counted =
        guardrail.limits().stream()
            .collect(
                Collectors.toMap(
                    Function.identity(),
                    limit -> tally(Budget.of(partition, operator, guardrail, limit, candidate))));
    Map<Tally, List<Count>> found = tallies.counts(List.copyOf(counted.values()));
    List<Exceeded> exceeded = new ArrayList<>();
    for (Limit limit : guardrail.limits()) {
      Budget own = Budget.of(partition, operator, guardrail, limit, candidate);
      List<Count> counts = found.getOrDefault(counted.get(limit), List.of());
      Amount total = Count.total(counts);
      boolean countable = own.amount() != null;
      for (Candidate other : before) {
        Budget same = Budget.of(partition, operator, guardrail, limit, other);
        if (same.name().equals(own.name())) {
          countable = countable && same.amount() != null;
          total = same.amount() == null ? total : total.plus(same.amount());
        }
      }
      Amount amount = own.amount();
      if (!countable || amount == null || !own.bound().admits(total.plus(amount))) {
        exceeded.add(new Exceeded(limit, use(own, total, counts, countable)));
      }
    }
    return exceeded;
  }

  /**
   * Returns the limit that refuses a call.
   *
   * @param full the entry that had no room; null if the limit cannot count the action
   */
  public LimitUse refusing(Called called, @Nullable ReservationEntry full) {
    Budget refusing =
        called.guardrail().limits().stream()
            .map(called::budget)
            .filter(
                budget ->
                    full == null
                        ? budget.amount() == null
                        : budget.name().equals(full.tally().name()))
            .findFirst()
            .orElseThrow();
    Tally tally = tally(refusing);
    List<Count> counts =
        full == null ? tallies.counts(List.of(tally)).getOrDefault(tally, List.of()) : full.full();
    return use(refusing, Count.total(counts), counts, full != null);
  }

  private LimitUse use(Budget budget, Amount total, List<Count> counts, boolean countable) {
    Limit limit = budget.limit();
    LimitUse.Kind kind = budget.exceeded(total);
    boolean actions = kind == LimitUse.Kind.ACTIONS;
    SlidingWindow window = window(limit);
    return new LimitUse(
        limit.per(),
        kind,
        limit.windowSeconds(),
        budget.key(),
        actions ? BigDecimal.valueOf(total.actions()) : total.value(),
        actions
            ? BigDecimal.valueOf(Objects.requireNonNull(limit.maxActions()))
            : Objects.requireNonNull(limit.maxValue()),
        counts.stream()
            .flatMap(count -> window.oldest(count, kind).stream())
            .min(Comparator.naturalOrder())
            .orElse(null),
        countable);
  }

  private SlidingWindow window(Limit limit) {
    return new SlidingWindow(limit.windowSeconds(), clock);
  }

  private Tally tally(Budget budget) {
    return new Tally(budget.name(), window(budget.limit()));
  }

  /**
   * An action that is about to be called.
   *
   * @param guardrail the guardrail that decided it, whose limits count it
   * @param spread number of items over which a tenant's tally is spread
   */
  public record Called(
      Partition partition,
      OperatorId operator,
      Guardrail guardrail,
      Candidate candidate,
      int spread) {
    private Budget budget(Limit limit) {
      return Budget.of(partition, operator, guardrail, limit, candidate);
    }
  }

  /**
   * Reservations for a call, made in the transaction that states the intent to make the call.
   * Belongs to one attempt; not thread-safe.
   *
   * @param carried earlier reservations for limits that no longer count the action
   */
  public record Reserve(List<Entry> entries, List<Reservation> carried) {
    /** Returns the reservations, once the prepared entries are written. */
    public List<Reservation> reservations() {
      Stream<Reservation> reserved =
          entries.stream()
              .flatMap(
                  entry ->
                      switch (entry) {
                        case ReservationEntry reserving -> reserving.reservations().stream();
                        case Moving moving -> moving.reservations().stream();
                        default -> Stream.of();
                      });
      return Stream.concat(reserved, carried.stream()).toList();
    }
  }

  /**
   * Prepares the reservations for a call.
   *
   * @param tolerated limits that made the approved verdict an ALERT; they count the action and
   *     never refuse it
   * @param before reservations of an earlier call of the action, which count from now on instead
   * @return empty if a limit cannot count the action, and so refuses it
   */
  public Optional<Reserve> reserve(
      Called called, Collection<Limit> tolerated, List<Reservation> before) {
    List<Entry> entries = new ArrayList<>();
    List<Reservation> carried = new ArrayList<>(before);
    for (Limit limit : called.guardrail().limits()) {
      Budget budget = called.budget(limit);
      Tally tally = tally(budget);
      List<Reservation> earlier = before.stream().filter(tally::counts).toList();
      carried.removeAll(earlier);
      boolean tolerant = tolerated.contains(limit);
      if (!earlier.isEmpty() && stillCount(tally, earlier)) {
        entries.add(new Moving(tally, earlier, transactions));
      } else {
        Amount amount = tolerant ? budget.tolerated() : budget.amount();
        if (amount == null) {
          return Optional.empty();
        }
        Bound most = tolerant ? budget.tolerant() : budget.bound();
        entries.add(
            new ReservationEntry(
                tally,
                new ReservationEntry.Wanted(amount, budget.bound(), most, null),
                budget.spread(called.spread()),
                transactions,
                random));
      }
    }
    return Optional.of(new Reserve(entries, carried));
  }

  private static boolean stillCount(Tally tally, List<Reservation> reservations) {
    long now = tally.decay().now();
    return reservations.stream().allMatch(reserved -> now <= tally.decay().counts(reserved.step()));
  }

  /** Returns the limits that already count the action for which these reservations were made. */
  public List<Limit> counting(Called called, List<Reservation> reservations) {
    return called.guardrail().limits().stream()
        .filter(
            limit -> {
              Tally tally = tally(called.budget(limit));
              return reservations.stream().anyMatch(tally::counts);
            })
        .toList();
  }

  /** Releases reservations, in the transaction that records that nothing was applied. */
  public Entry givingBack(List<Reservation> reservations) {
    return new GivingBack(reservations, new SlidingWindow(0, clock));
  }
}
