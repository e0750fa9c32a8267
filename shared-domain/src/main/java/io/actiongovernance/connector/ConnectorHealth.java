package io.actiongovernance.connector;

import static io.actiongovernance.connector.ConnectorStatus.CONNECTED;
import static io.actiongovernance.connector.ConnectorStatus.DEGRADED;
import static io.actiongovernance.connector.ConnectorStatus.ERROR;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Derives a connector's status from the results of its calls (contract, section 5). Consecutive
 * results are counted by atomic adds in a separate item. The status changes by a conditional write,
 * so that no count is lost and no change is made twice. The first failure marks a healthy
 * connector, so that successes need not be counted before it. Thread-safe.
 */
public final class ConnectorHealth {
  public static final int DEGRADED_AFTER = 3;

  public static final int ERROR_AFTER = 10;

  /** Number of consecutive successes after which a degraded connector is connected again. */
  public static final int BACK_AFTER = 2;

  private static final String FAILURES = "failures";
  private static final String SUCCESSES = "successes";

  private final Store store;
  private final InstantSource clock;

  public ConnectorHealth(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The source system answered, even if it refused the request. */
  public void answered(Connector connector) {
    if (connector.status() == DEGRADED) {
      if (count(connector, SUCCESSES, FAILURES) >= BACK_AFTER) {
        move(connector, CONNECTED, null, DEGRADED);
      }
    } else if (connector.failing()) {
      mark(connector, Change.remove(ConnectorItems.FAILING));
      forget(connector);
    }
  }

  /** The source system failed or was unreachable. */
  public void failed(Connector connector, String why) {
    long inARow = count(connector, FAILURES, SUCCESSES);
    if (!connector.failing()) {
      mark(connector, Change.set(ConnectorItems.FAILING, "true"));
    }
    if (inARow >= ERROR_AFTER) {
      move(connector, ERROR, why, CONNECTED, DEGRADED);
    } else if (inARow >= DEGRADED_AFTER) {
      move(connector, DEGRADED, why, CONNECTED);
    }
  }

  public void rejected(Connector connector, String why) {
    move(connector, ERROR, why, CONNECTED, DEGRADED);
  }

  void passed(Connector connector) {
    forget(connector);
    move(connector, CONNECTED, null, DEGRADED, ERROR);
  }

  /** Resets the counts. */
  void forget(Connector connector) {
    store.write(Write.delete(key(connector), Condition.always()));
  }

  private void mark(Connector connector, Change change) {
    // Refused if the connector no longer exists.
    store.write(
        Write.update(
            ConnectorItems.key(connector.partition(), connector.id()),
            Condition.present(),
            change));
  }

  private long count(Connector connector, String up, String back) {
    Write write =
        Write.update(key(connector), Condition.always(), Change.add(up, 1), Change.remove(back));
    return switch (store.write(write)) {
      case Store.Written.Done(var after) -> after.map(item -> item.whole(up, 0)).orElse(0L);
      case Store.Written.Refused(var found) ->
          throw new IllegalStateException("Refused: " + found.map(Item::key));
    };
  }

  private void move(
      Connector connector, ConnectorStatus to, @Nullable String why, ConnectorStatus... from) {
    List<Change> changes = new ArrayList<>();
    changes.add(Change.set(ConnectorItems.STATUS, to.wire()));
    changes.add(Change.set(ConnectorItems.UPDATED, Timestamps.format(clock.instant())));
    changes.add(
        why == null
            ? Change.remove(ConnectorItems.STATUS_REASON)
            : Change.set(ConnectorItems.STATUS_REASON, why));
    Condition[] any =
        Arrays.stream(from)
            .map(status -> Condition.equal(ConnectorItems.STATUS, status.wire()))
            .toArray(Condition[]::new);
    // Refused if another call has changed the status, or the connector no longer exists. Nothing is
    // left to do then.
    store.write(
        Write.update(
            ConnectorItems.key(connector.partition(), connector.id()), Condition.or(any), changes));
  }

  private static Key key(Connector connector) {
    return new Key(
        Table.LIMITS, connector.partition().key("connector-health"), connector.id().value());
  }
}
