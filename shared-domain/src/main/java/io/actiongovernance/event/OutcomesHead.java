package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the positions of the outcomes' log, several at once, with their place among ingested
 * events; {@link LogHead} hands out those of the other logs.
 *
 * <p>Events ingested before a position was taken come before it. A reader may also {@link #fence}:
 * every position taken afterwards then comes after everything that the reader has seen. So the
 * reader knows which outcomes precede the entries that it is about to show, and all readers show
 * one order. Thread-safe.
 */
final class OutcomesHead {
  private static final int TRIES = 32;
  private static final String POSITION = "position";
  private static final String AT = "at";

  private final Store store;
  private final InstantSource clock;

  OutcomesHead(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Takes the next positions for the caller alone. Positions that the caller never fills are holes.
   */
  List<Slot> take(Partition partition, int count) {
    Key key = LogHead.key(OutcomeItems.log(partition));
    Key envelopes = LogHead.key(Log.of(partition, Log.Kind.ENVELOPES));
    Key links = LogHead.key(Log.of(partition, Log.Kind.LINKS));
    Map<Key, Item> heads = store.getByKey(List.of(key, envelopes, links));
    OutcomePosition ingested =
        new OutcomePosition(position(heads.get(envelopes)), position(heads.get(links)));
    @Nullable Item own = heads.get(key);
    for (int tries = 0; tries < TRIES; tries++) {
      LogHead.Taken known = own == null ? LogHead.Taken.NONE : LogHead.taken(own);
      OutcomePosition stand = ingested.max(known.stand());
      long at = Math.max(clock.millis(), known.at().toEpochMilli());
      switch (store.write(
          Write.update(
              key,
              Condition.and(
                  notBeyond(AT, at),
                  notBeyond(OutcomePosition.attribute(Log.Kind.ENVELOPES), stand.envelopes()),
                  notBeyond(OutcomePosition.attribute(Log.Kind.LINKS), stand.links())),
              Change.add(POSITION, count),
              Change.set(AT, at),
              Change.set(OutcomePosition.attribute(Log.Kind.ENVELOPES), stand.envelopes()),
              Change.set(OutcomePosition.attribute(Log.Kind.LINKS), stand.links())))) {
        case Store.Written.Done(var after) -> {
          return slots(position(after.orElseThrow()), count, Instant.ofEpochMilli(at), stand);
        }
        case Store.Written.Refused(var found) -> own = found.orElse(null);
      }
    }
    throw new StoreUnavailable("The head of the outcomes is contended.", null);
  }

  private static List<Slot> slots(long last, int count, Instant at, OutcomePosition stand) {
    List<Slot> slots = new ArrayList<>();
    for (long position = last - count + 1; position <= last; position++) {
      slots.add(new Slot(position, at, stand));
    }
    return slots;
  }

  /**
   * Ensures that every position taken from now on comes after this position of the other log. Costs
   * a write only if that is not ensured already.
   *
   * @return the last position that was taken before
   */
  long fence(Log other, long position) {
    Key key = LogHead.key(OutcomeItems.log(other.partition()));
    @Nullable Item own = store.get(key).orElse(null);
    if (position == 0 || (own != null && OutcomePosition.of(own).in(other.kind()) >= position)) {
      return position(own);
    }
    String attribute = OutcomePosition.attribute(other.kind());
    Condition before =
        Condition.or(Condition.lacks(attribute), Condition.less(attribute, position));
    return switch (store.write(Write.update(key, before, Change.set(attribute, position)))) {
      case Store.Written.Done(var after) -> position(after.orElseThrow());
      case Store.Written.Refused(var found) -> position(found.orElse(null));
    };
  }

  private static Condition notBeyond(String attribute, long bound) {
    return Condition.or(Condition.lacks(attribute), Condition.atMost(attribute, bound));
  }

  private static long position(@Nullable Item head) {
    return head == null ? 0 : head.whole(POSITION, 0);
  }
}
