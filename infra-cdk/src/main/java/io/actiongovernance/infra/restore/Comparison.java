package io.actiongovernance.infra.restore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The differences between a table and the one that was restored from it. Rows of each are looked up
 * in the other, from the beginning, up to the requested number.
 *
 * @param looked number of rows that were looked at
 * @param all whether these were all rows of both tables
 * @param changed rows that both have, with different content
 * @param onlyInUse rows that the restored table lacks: they were written since, or lost by
 *     restoring
 * @param onlyRestored rows that the table in use lacks: they were deleted since, or lost there
 * @param keys keys of some differing rows, each with its kind of difference
 */
public record Comparison(
    long looked, boolean all, long changed, long onlyInUse, long onlyRestored, List<String> keys) {
  private static final int SOME = 10;
  private static final int BATCH = 100;

  public Comparison {
    keys = List.copyOf(keys);
  }

  /** Returns whether no row that was looked at differs. */
  public boolean same() {
    return changed + onlyInUse + onlyRestored == 0;
  }

  public String sentence() {
    return "Of %s%s rows, %s differ, %s are only in the table in use, %s only in the restored one."
        .formatted(all ? "all " : "the first ", looked, changed, onlyInUse, onlyRestored);
  }

  /**
   * Compares two tables.
   *
   * @param most the most rows of each table to look at
   */
  static Comparison of(TableService tables, String inUse, String restored, int most) {
    Differences found = new Differences(new ArrayList<>());
    List<String> keys = tables.find(inUse).orElseThrow().keys();
    found.all = found.look(tables, new Direction(inUse, restored, keys, true), most);
    found.all &= found.look(tables, new Direction(restored, inUse, keys, false), most);
    return new Comparison(
        found.looked, found.all, found.changed, found.onlyInUse, found.onlyRestored, found.some);
  }

  private record Direction(String from, String to, List<String> keys, boolean inUse) {
    Map<String, AttributeValue> key(Map<String, AttributeValue> row) {
      return keys.stream()
          .collect(Collectors.toMap(name -> name, name -> Objects.requireNonNull(row.get(name))));
    }
  }

  /** The differences found so far. Not thread-safe. */
  private static final class Differences {
    private final List<String> some;
    private long looked;
    private long changed;
    private long onlyInUse;
    private long onlyRestored;
    private boolean all;

    Differences(List<String> some) {
      this.some = some;
    }

    /**
     * @return whether all rows were looked at
     */
    boolean look(TableService tables, Direction direction, int most) {
      Map<String, AttributeValue> from = Map.of();
      long left = most;
      do {
        TableService.Page page = tables.scan(direction.from(), from);
        List<Map<String, AttributeValue>> rows =
            page.rows().subList(0, (int) Math.min(left, page.rows().size()));
        for (int at = 0; at < rows.size(); at += BATCH) {
          compare(tables, direction, rows.subList(at, Math.min(at + BATCH, rows.size())));
        }
        left -= rows.size();
        if (rows.size() < page.rows().size()) {
          return false;
        }
        from = page.next();
      } while (!from.isEmpty() && left > 0);
      return from.isEmpty();
    }

    private void compare(
        TableService tables, Direction direction, List<Map<String, AttributeValue>> rows) {
      Map<Map<String, AttributeValue>, Map<String, AttributeValue>> others = new HashMap<>();
      tables
          .get(direction.to(), rows.stream().map(direction::key).toList())
          .forEach(row -> others.put(direction.key(row), row));
      for (Map<String, AttributeValue> row : rows) {
        Map<String, AttributeValue> key = direction.key(row);
        Map<String, AttributeValue> other = others.get(key);
        if (other == null) {
          looked++;
          note(key, direction.inUse() ? "in use only" : "restored only");
          if (direction.inUse()) {
            onlyInUse++;
          } else {
            onlyRestored++;
          }
        } else if (direction.inUse()) {
          looked++;
          if (!other.equals(row)) {
            changed++;
            note(key, "changed");
          }
        }
      }
    }

    private void note(Map<String, AttributeValue> key, String how) {
      if (some.size() < SOME) {
        String named =
            new TreeMap<>(key)
                .values().stream().map(AttributeValue::s).collect(Collectors.joining(" "));
        some.add(named + ": " + how);
      }
    }
  }
}
