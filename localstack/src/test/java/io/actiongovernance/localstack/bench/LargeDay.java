package io.actiongovernance.localstack.bench;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Packed;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a large day, made as they are asked for: what a few actions have left, over and over,
 * each time with identifiers of another millisecond. Nothing of it is in memory; it says how long
 * it took, and for how many requests to DynamoDB it was asked. Not thread-safe.
 */
final class LargeDay implements Store {
  /** What identifiers begin with that are made for an action; their time comes next. */
  private static final Pattern MADE =
      Pattern.compile(
          Stream.of(
                  PlanId.PREFIX,
                  ActionId.PREFIX,
                  ReceiptId.PREFIX,
                  ApprovalId.PREFIX,
                  EventId.PREFIX)
              .collect(
                  Collectors.joining(
                      "|", "(?<![a-z_])(", ")([0-9a-hjkmnp-tv-z]{10})([0-9a-hjkmnp-tv-z]{16})")));

  private static final Pattern DIGEST = Pattern.compile("(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])");
  private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

  /** What stands for a time in a template, and before a digest. */
  private static final char TIME = '\u0000';

  private static final char HASH = '\u0001';
  private static final int RANDOM = 16;
  private static final int HEX = 64;
  private static final int AT_ONCE = 100;

  /** A row; of its texts, what is not the time of an identifier. */
  private record Template(Key key, Map<String, Object> attributes) {}

  private final Instant begins;
  private final int times;
  private final long step;
  private final Map<Key, Template> byKey = new HashMap<>();
  private final Map<String, List<Template>> listed = new HashMap<>();
  private final Runnable between;
  private boolean making;
  private boolean gone;
  private long nanos;
  private long requests;
  private long queries;

  /**
   * @param rows of a few actions, all that they have left
   * @param times how often they were done
   * @param between is run now and then, between two requests
   */
  LargeDay(Instant begins, List<Item> rows, int times, Runnable between) {
    this.begins = begins;
    this.times = times;
    this.step = Duration.ofHours(23).toMillis() / times;
    this.between = between;
    rows.stream()
        .map(this::template)
        .forEach(
            row -> {
              byKey.put(row.key(), row);
              list(place(row.key().table(), null, row.key().partition()), row);
              for (Index index : row.key().table().indexes()) {
                if (row.attributes().get(index.hash()) instanceof String hash) {
                  list(place(row.key().table(), index, hash), row);
                }
              }
            });
    this.making = true;
  }

  private void list(String place, Template row) {
    listed.computeIfAbsent(place, _ -> new ArrayList<>()).add(row);
  }

  private static String place(Table table, @Nullable Index index, String partition) {
    return table + " " + (index == null ? "" : index.hash()) + " " + partition;
  }

  private Template template(Item row) {
    Map<String, Object> attributes = new HashMap<>();
    row.attributes()
        .forEach(
            (name, value) ->
                attributes.put(
                    name,
                    switch (value) {
                      case String text -> without(text);
                      case Packed packed -> List.of(without(packed.text()));
                      default -> value;
                    }));
    return new Template(without(row.key()), attributes);
  }

  private String without(String text) {
    String untimed =
        MADE.matcher(text)
            .replaceAll(
                found -> found.group(1) + TIME + turned(found.group(3), -turnAt(found.group(2))));
    return DIGEST.matcher(untimed).replaceAll(found -> HASH + found.group());
  }

  /** The random part of an identifier in another turn, but for its last character: its shard. */
  private static String turned(String random, int turn) {
    char[] out = random.toCharArray();
    SplittableRandom steps = new SplittableRandom(Math.abs(turn));
    for (int at = 0; at < RANDOM - 1; at++) {
      int step = steps.nextInt(ALPHABET.length());
      int from = ALPHABET.indexOf(out[at]);
      out[at] = ALPHABET.charAt((turn < 0 ? from - step : from + step) & (ALPHABET.length() - 1));
    }
    return new String(out);
  }

  private Key without(Key key) {
    return new Key(key.table(), without(key.partition()), without(key.range()));
  }

  /** Has all its rows have left their tables. */
  void leave() {
    gone = true;
  }

  /** For how long a processor has worked for this thread, in nanoseconds. */
  static long processor() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** For how much of that it was at work. */
  long nanos() {
    return nanos;
  }

  /** What was asked of DynamoDB: queries, and batches of a hundred keys. */
  long requests() {
    return requests;
  }

  /** A row of the middle of the day. */
  Item some(Table table) {
    return byKey.values().stream()
        .filter(row -> row.key().table() == table)
        .map(row -> item(row, times / 2))
        .findFirst()
        .orElseThrow();
  }

  private String time(int turn) {
    return Ids.floor(begins.plusMillis(turn * step)).substring(0, 10);
  }

  private int turnAt(String time) {
    long millis = Ids.timeOf(time).toEpochMilli() - begins.toEpochMilli();
    // What is of no turn is of the rows that all of this is made from.
    return millis < 0 || !making ? 0 : (int) (millis / step) + 1;
  }

  private Optional<Integer> turnIn(String text) {
    Matcher made = MADE.matcher(text);
    return made.find() ? Optional.of(turnAt(made.group(2)) - 1) : Optional.empty();
  }

  private Item item(Template row, int turn) {
    Key key =
        new Key(
            row.key().table(), made(row.key().partition(), turn), made(row.key().range(), turn));
    Map<String, Object> attributes = new HashMap<>();
    row.attributes()
        .forEach(
            (name, value) ->
                attributes.put(
                    name,
                    switch (value) {
                      case String text -> made(text, turn);
                      case List<?> packed -> Packed.of(made((String) packed.getFirst(), turn));
                      default -> value;
                    }));
    return new Item(key, attributes);
  }

  /** A text of a template, of a turn. */
  private String made(String text, int turn) {
    StringBuilder made = new StringBuilder(text.length() + 100);
    for (int at = 0; at < text.length(); at++) {
      char next = text.charAt(at);
      if (next == TIME) {
        made.append(time(turn)).append(turned(text.substring(at + 1, at + 1 + RANDOM), turn + 1));
        at += RANDOM;
      } else if (next == HASH) {
        SplittableRandom digest =
            new SplittableRandom(text.substring(at + 1, at + 1 + HEX).hashCode() * 31L + turn);
        for (int part = 0; part < HEX / 16; part++) {
          made.append(HexFormat.of().toHexDigits(digest.nextLong()));
        }
        at += HEX;
      } else {
        made.append(next);
      }
    }
    return made.toString();
  }

  private <T> T timed(int asked, Supplier<T> work) {
    long before = processor();
    if (++queries % 500 == 0) {
      between.run();
    }
    requests += asked;
    T done = work.get();
    nanos += processor() - before;
    return done;
  }

  @Override
  public Optional<Item> get(Key key) {
    return timed(1, () -> found(key));
  }

  private Optional<Item> found(Key key) {
    Template row = gone ? null : byKey.get(without(key));
    return row == null
        ? Optional.empty()
        : turnIn(key.partition() + " " + key.range()).map(turn -> item(row, turn));
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    return timed(
        (keys.size() + AT_ONCE - 1) / AT_ONCE,
        () -> keys.stream().flatMap(key -> found(key).stream()).toList());
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return Optional.of(getByKey(keys));
  }

  @Override
  public Slice query(Query query) {
    return timed(1, () -> queried(query));
  }

  private Slice queried(Query query) {
    List<Template> rows =
        gone
            ? List.of()
            : listed.getOrDefault(
                place(query.table(), query.index(), without(query.partition())), List.of());
    Optional<Integer> only = turnIn(query.partition());
    if (rows.isEmpty()) {
      return new Slice(List.of(), false);
    }
    List<Item> items = new ArrayList<>();
    int first = query.from() == null ? 0 : turnOf(query.from());
    for (int turn = only.orElse(first); turn <= only.orElse(times - 1); turn++) {
      int of = turn;
      List<Item> some =
          rows.stream()
              .map(row -> item(row, of))
              .sorted(Comparator.comparing(query::rangeOf))
              .toList();
      for (Item item : some) {
        String range = query.rangeOf(item);
        if (query.below() != null && range.compareTo(query.below()) >= 0) {
          return new Slice(items, false);
        }
        if (query.holds(range)) {
          if (items.size() == query.limit()) {
            return new Slice(items, true);
          }
          items.add(item);
        }
      }
    }
    return new Slice(items, false);
  }

  private int turnOf(String from) {
    Instant at = Ids.timeOf(from.substring(from.indexOf('_') + 1));
    return (int) Math.clamp((at.toEpochMilli() - begins.toEpochMilli()) / step, 0L, (long) times);
  }

  @Override
  public Written write(Write write) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Transacted transact(List<Write> writes) {
    throw new UnsupportedOperationException();
  }
}
