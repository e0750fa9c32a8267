package io.actiongovernance.channel;

import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;

import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Limits how often a channel sends notifications. A notification is sent at once if the last one
 * was sent at least a minute ago; otherwise a digest follows at the end of that minute. A channel's
 * item says when the channel may send next, and whether a digest is pending. One conditional write
 * decides between concurrent notifications. Each notification that joined a digest is marked, so
 * that a repeated one counts once. Thread-safe.
 */
public final class Bell {
  static final Duration QUIET = Duration.ofMinutes(1);

  /**
   * Time for which an overdue digest still keeps other notifications from being sent separately.
   */
  private static final Duration LATE = Duration.ofMinutes(1);

  private static final Duration KEPT = Duration.ofDays(2);

  private static final String NEXT = "next";
  private static final String PENDING = "pending";
  private static final String TOLD = "told";
  private static final String DIGEST = "digest";

  private static final String COUNT = "of#";

  private final Store store;
  private final Transactions transactions;
  private final InstantSource clock;

  public Bell(Store store, Transactions transactions, InstantSource clock) {
    this.store = store;
    this.transactions = transactions;
    this.clock = clock;
  }

  /** Result of asking to send a notification. */
  sealed interface Turn {
    /** The channel sends a notification for this fact alone, now. */
    record Now() implements Turn {}

    /** A digest at this time includes the fact. */
    record Digest(Instant at) implements Turn {}
  }

  /**
   * Takes a turn.
   *
   * @param delivery the delivery of the single notification: identical whenever the same fact is
   *     reported again
   * @param kind the kind under which a digest counts it
   */
  Turn take(Channel channel, DeliveryId delivery, String kind) {
    Key mark = key(channel, "#of#" + delivery);
    while (true) {
      Optional<Item> marked = store.get(mark);
      if (marked.isPresent()) {
        return turn(marked.get());
      }
      Item bell = store.get(key(channel, "")).orElse(Item.at(key(channel, "")).build());
      long now = clock.instant().toEpochMilli();
      long next = bell.whole(NEXT, 0);
      boolean pending = bell.has(PENDING) && now < next + LATE.toMillis();
      Transacting taken =
          now < next || pending
              ? joining(channel, mark, kind, bell)
              : ringing(channel, mark, bell, now);
      if (transactions.run(taken.writes()).done()) {
        return taken.turn();
      }
      // Another notification took a turn, or the digest was sent, so the stored state is read
      // again.
    }
  }

  /** The turn that is taken by making these writes. */
  private record Transacting(Turn turn, List<Write> writes) {}

  private Transacting ringing(Channel channel, Key mark, Item bell, long now) {
    return new Transacting(
        new Turn.Now(),
        List.of(
            Write.insert(kept(Item.at(mark)).with(DIGEST, 0).build()),
            update(
                key(channel, ""),
                unmoved(bell),
                Change.set(NEXT, now + QUIET.toMillis()),
                Change.remove(PENDING))));
  }

  private Transacting joining(Channel channel, Key mark, String kind, Item bell) {
    long at = bell.whole(NEXT, 0);
    return new Transacting(
        new Turn.Digest(Instant.ofEpochMilli(at)),
        List.of(
            Write.insert(kept(Item.at(mark)).with(DIGEST, at).build()),
            update(key(channel, ""), equal(NEXT, at), Change.set(PENDING, "true")),
            update(
                digest(channel, Instant.ofEpochMilli(at)),
                lacks(TOLD),
                Change.add(COUNT + kind, 1))));
  }

  /**
   * Returns a digest's counts, by kind. Afterwards nothing joins the digest, and the channel is
   * quiet for a minute. A repeated call returns the same counts.
   */
  Map<String, Long> tell(Channel channel, Instant at) {
    Write told = Write.update(digest(channel, at), Condition.present(), Change.set(TOLD, "true"));
    Write quiet =
        Write.update(
            key(channel, ""),
            equal(NEXT, at.toEpochMilli()),
            Change.set(NEXT, clock.instant().plus(QUIET).toEpochMilli()),
            Change.remove(PENDING));
    if (!transactions.run(List.of(told, quiet)).done()) {
      // The digest is repeated, or it is so late that the channel has sent a notification since.
      store.write(told);
    }
    return store.get(digest(channel, at)).map(Bell::counts).orElse(Map.of());
  }

  private static Map<String, Long> counts(Item digest) {
    Map<String, Long> counts = new TreeMap<>();
    for (String name : digest.attributes().keySet()) {
      if (name.startsWith(COUNT)) {
        counts.put(name.substring(COUNT.length()), digest.whole(name, 0));
      }
    }
    return counts;
  }

  private static Turn turn(Item mark) {
    long at = mark.whole(DIGEST, 0);
    return at == 0 ? new Turn.Now() : new Turn.Digest(Instant.ofEpochMilli(at));
  }

  private static Condition unmoved(Item bell) {
    return bell.has(NEXT) ? equal(NEXT, bell.whole(NEXT, 0)) : lacks(NEXT);
  }

  private Item.Builder kept(Item.Builder item) {
    return item.expires(clock.instant().plus(KEPT));
  }

  private Write update(Key key, Condition condition, Change... changes) {
    long expires = clock.instant().plus(KEPT).getEpochSecond();
    return Write.update(
        key,
        condition,
        Stream.concat(Arrays.stream(changes), Stream.of(Change.set(Table.EXPIRES, expires)))
            .toList());
  }

  private static Key digest(Channel channel, Instant at) {
    return key(channel, "#digest#" + at.toEpochMilli());
  }

  private static Key key(Channel channel, String part) {
    return Key.single(Table.STATE, channel.partition().key("bell#" + channel.id() + part));
  }
}
