package io.actiongovernance.proposer;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.less;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.operator.Operator;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Limit on an operator's requests to models in an hour of the clock. Its tenant has {@value
 * #OF_TENANT} times as many over all operators of both modes. Each attempt counts, before it is
 * sent. One conditional write counts for both. Thread-safe.
 */
public final class ModelBudget {
  private static final int OF_TENANT = 5;
  private static final String ALL = "all";
  private static final Duration KEPT = Duration.ofHours(2);

  private final Store store;
  private final InstantSource clock;
  private final int perHour;

  /**
   * @param perHour requests to models per hour and operator
   */
  public ModelBudget(Store store, InstantSource clock, int perHour) {
    this.store = store;
    this.clock = clock;
    this.perHour = perHour;
  }

  /** Requests that one operator may make. */
  public record Calls(ModelBudget budget, Operator operator) {
    /** Counts one more request. Returns false and counts nothing if none is left in this hour. */
    public boolean take() {
      return budget.take(operator);
    }

    public int perHour() {
      return budget.perHour;
    }
  }

  public Calls of(Operator operator) {
    return new Calls(this, operator);
  }

  private boolean take(Operator operator) {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    String tenant = operator.partition().tenant().value();
    Key key = new Key(Table.LIMITS, tenant + "#model-calls", Timestamps.format(hour));
    return store
        .write(
            Write.update(
                key,
                and(below(operator.id().value(), perHour), below(ALL, (long) OF_TENANT * perHour)),
                Change.add(operator.id().value(), 1),
                Change.add(ALL, 1),
                Change.set(Table.EXPIRES, hour.plus(KEPT).getEpochSecond())))
        .done();
  }

  private static Condition below(String name, long most) {
    return or(lacks(name), less(name, most));
  }
}
