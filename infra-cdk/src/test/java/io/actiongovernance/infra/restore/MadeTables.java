package io.actiongovernance.infra.restore;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Tables in memory that can be restored as DynamoDB does: what is restored or imported has the rows
 * of that second or export, becomes active later, and has nothing else. Breaks off where it is told
 * to. Not thread-safe.
 */
public final class MadeTables implements TableService {
  private static final int PAGE = 3;

  private final String account;
  private final Map<String, Made> tables = new HashMap<>();
  private final List<String> done = new ArrayList<>();
  private int breaksAfter = Integer.MAX_VALUE;
  private int ids;

  /** Those of an account. */
  public MadeTables(String account) {
    this.account = account;
  }

  private static final class Made {
    private final String id;
    private TreeMap<String, Map<String, AttributeValue>> rows = new TreeMap<>();
    private TreeMap<String, Map<String, AttributeValue>> earlier = new TreeMap<>();
    private int untilActive;
    private int untilRestorable;
    private boolean streamed;
    private boolean kept;
    private @Nullable Window window;
    private @Nullable Instant restoredTo;
    private @Nullable String expiry;
    private @Nullable String policy;
    private Map<String, String> tags = Map.of();

    Made(String id) {
      this.id = id;
    }
  }

  /** Makes a table that can be restored to those seconds, all to the rows that it has now. */
  public void make(String table, Window window) {
    Made made = new Made("id" + ids++);
    made.window = window;
    tables.put(table, made);
  }

  /**
   * Makes a table of those rows, which becomes active later, as an import does.
   *
   * @return its id
   */
  String makeOf(String table, Map<String, Map<String, AttributeValue>> rows) {
    does("import " + table);
    return make(table, rows).id;
  }

  /** The rows that a table has now, by their keys. */
  Map<String, Map<String, AttributeValue>> rows(String table) {
    return Map.copyOf(made(table).rows);
  }

  /** Takes the table away, whatever it holds. */
  public void lose(String table) {
    tables.remove(table);
  }

  /** Writes a row. */
  public void put(String table, String key, String value) {
    made(table)
        .rows
        .put(key, Map.of("pk", AttributeValue.fromS(key), "is", AttributeValue.fromS(value)));
  }

  /** Deletes a row. */
  public void delete(String table, String key) {
    made(table).rows.remove(key);
  }

  /** From here on what is written is later than what a restore finds. */
  public void second(String table) {
    made(table).earlier = new TreeMap<>(made(table).rows);
  }

  /** The process dies after so many changes more. */
  public void breakAfter(int changes) {
    breaksAfter = changes;
  }

  /** The changes that were made, in their order. */
  public List<String> done() {
    return List.copyOf(done);
  }

  /** All that was put onto a table, in one text. */
  public String carried(String table) {
    Made made = made(table);
    return "stream %s, expiry %s, restorable %s, kept %s, policy %s, tags %s"
        .formatted(
            made.streamed,
            made.expiry,
            made.window != null,
            made.kept,
            made.policy != null,
            new TreeMap<>(made.tags));
  }

  /** The policy of a table. */
  public @Nullable String policy(String table) {
    return made(table).policy;
  }

  private Made made(String table) {
    return Optional.ofNullable(tables.get(table)).orElseThrow();
  }

  private void does(String what) {
    if (breaksAfter-- == 0) {
      throw new IllegalStateException("The process died.");
    }
    done.add(what);
  }

  private Made changing(String table, String what) {
    Made made = made(table);
    if (made.untilActive > 0) {
      throw new IllegalStateException(table + " is not active.");
    }
    does(what);
    return made;
  }

  @Override
  public Optional<Description> find(String table) {
    return Optional.ofNullable(tables.get(table))
        .map(
            made ->
                new Description(
                    "arn:aws:dynamodb:eu-west-1:" + account + ":table/" + table,
                    made.id,
                    made.untilActive-- <= 0,
                    made.streamed,
                    made.kept,
                    made.restoredTo,
                    List.of("pk")));
  }

  @Override
  public Optional<Window> window(String table) {
    return Optional.ofNullable(made(table).window);
  }

  @Override
  public void restore(String source, String target, Instant at) {
    does("restore " + target);
    make(target, made(source).earlier).restoredTo = at;
  }

  private Made make(String table, Map<String, Map<String, AttributeValue>> rows) {
    Made made = new Made("id" + ids++);
    made.rows = new TreeMap<>(rows);
    made.untilActive = 3;
    made.untilRestorable = 2;
    if (tables.putIfAbsent(table, made) != null) {
      throw new IllegalStateException(table + " is there.");
    }
    return made;
  }

  @Override
  public Optional<String> expiry(String table) {
    return Optional.ofNullable(made(table).expiry);
  }

  @Override
  public Map<String, String> tags(Description table) {
    return made(name(table)).tags;
  }

  private static String name(Description table) {
    return table.arn().substring(table.arn().indexOf('/') + 1);
  }

  @Override
  public boolean hasPolicy(Description table) {
    return made(name(table)).policy != null;
  }

  @Override
  public void stream(String table) {
    Made made = changing(table, "stream " + table);
    made.streamed = true;
    made.untilActive = 2;
  }

  @Override
  public void protectFromDeletion(String table) {
    Made made = changing(table, "protect " + table);
    made.kept = true;
    made.untilActive = 2;
  }

  @Override
  public boolean makeRestorable(String table) {
    Made made = made(table);
    if (made.untilRestorable-- > 0) {
      return false;
    }
    changing(table, "make restorable " + table).window = new Window(Instant.EPOCH, Instant.EPOCH);
    return true;
  }

  @Override
  public void expireBy(String table, String attribute) {
    changing(table, "expire " + table).expiry = attribute;
  }

  @Override
  public void tag(Description table, Map<String, String> tags) {
    changing(name(table), "tag " + name(table)).tags = tags;
  }

  @Override
  public void putPolicy(Description table, String policy) {
    changing(name(table), "give a policy to " + name(table)).policy = policy;
  }

  private static String key(Map<String, AttributeValue> row) {
    return Objects.requireNonNull(row.get("pk")).s();
  }

  @Override
  public Page scan(String table, Map<String, AttributeValue> from) {
    TreeMap<String, Map<String, AttributeValue>> rows = made(table).rows;
    List<Map<String, AttributeValue>> left =
        List.copyOf((from.isEmpty() ? rows : rows.tailMap(key(from), false)).values());
    return left.size() <= PAGE
        ? new Page(left, Map.of())
        : new Page(
            left.subList(0, PAGE), Map.of("pk", AttributeValue.fromS(key(left.get(PAGE - 1)))));
  }

  @Override
  public List<Map<String, AttributeValue>> get(
      String table, List<Map<String, AttributeValue>> keys) {
    return keys.stream()
        .map(key -> Optional.ofNullable(made(table).rows.get(key(key))))
        .flatMap(Optional::stream)
        .toList();
  }
}
