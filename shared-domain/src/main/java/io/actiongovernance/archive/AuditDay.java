package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Store;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares table and archive for a day of a tenant and mode. What is in the tables is found by the
 * lists that they have, not by how the archive found it: each receipt and each plan with an
 * identifier of that day, and the actions that these name. Each that has ended must be in the
 * archive as it stands; each of the archive's that may not have left its table yet must be there.
 * Every object of the day must be what its manifest says. Reads alone; thread-safe.
 */
public final class AuditDay {
  private final GovernedRows governed;
  private final ArchivedRows archived;
  private final InstantSource clock;

  public AuditDay(Store store, ArchiveObjects objects, InstantSource clock) {
    this.governed = new GovernedRows(store);
    this.archived = new ArchivedRows(objects);
    this.clock = clock;
  }

  /** How table and archive differ in a row, or an object. */
  public enum Kind {
    /** It has ended and is not in the archive. */
    MISSING,
    /** It is in the archive and is gone from its table before its time. */
    EXTRA,
    /** It is in both, and not the same. */
    CHANGED,
    /** An object of the archive is gone, or is not what was written. */
    DAMAGED,
    /** One is there as it was written, under what hides it: it is read, as long as it is kept. */
    HIDDEN
  }

  /**
   * A difference.
   *
   * @param what the key of the row, or the name of the object
   */
  public record Difference(Kind kind, String what) {}

  /**
   * What a comparison came to.
   *
   * @param inTable rows that were looked for in the archive
   * @param inArchive rows that were looked for in the tables
   */
  public record Audited(long inTable, long inArchive, List<Difference> differences) {
    public Audited {
      differences = List.copyOf(differences);
    }

    /** Whether table and archive agree. */
    public boolean agrees() {
      return differences.isEmpty();
    }
  }

  /**
   * Compares a day that is complete.
   *
   * @param last the last day that is complete: what was touched since is to be written yet
   */
  public Audited audit(Partition partition, LocalDate day, LocalDate last) {
    return audit(partition, day, last, Deadline.NONE);
  }

  /**
   * The same, by a time.
   *
   * @throws IllegalStateException if it has passed
   */
  Audited audit(Partition partition, LocalDate day, LocalDate last, Deadline deadline) {
    return new Pass(partition, day, last, deadline).audit();
  }

  /**
   * What is kept in memory of an archived row, under eight bytes of its key's hash: a large day has
   * millions. Not thread-safe.
   */
  private static final class Known {
    /** Eight bytes of the hash of its line, as sums have them. */
    private final long part;

    private final long leaves;

    /** Whether its row was found in a table. */
    private boolean met;

    Known(RowLine line, Item row) {
      this.part = line.part();
      this.leaves = RowLine.leaves(row);
    }

    static Long hash(Key key) {
      return RowLine.of("%s %s %s".formatted(key.table().word(), key.partition(), key.range()))
          .part();
    }

    /**
     * Whether it is this row. One that was put back into its table, or was kept there for as long
     * as its plan was open, may leave later than what was archived says, and is the same otherwise.
     */
    boolean is(Item row) {
      return part == RowLine.of(row).part()
          || RowLine.leaves(row) > leaves
              && part == RowLine.of(RowLine.leaving(row, leaves)).part();
    }
  }

  /** One comparison. Not thread-safe. */
  private final class Pass {
    private final Partition partition;
    private final LocalDate day;
    private final LocalDate last;
    private final List<Difference> differences = new ArrayList<>();
    private final Set<String> damaged = new HashSet<>();
    private final Map<List<Object>, Map<Long, Known>> read = new HashMap<>();
    private final Set<ActionId> actionsMet = new HashSet<>();
    private final Set<String> open = new HashSet<>();
    private long inTable;
    private long inArchive;

    private final Deadline deadline;

    Pass(Partition partition, LocalDate day, LocalDate last, Deadline deadline) {
      this.deadline = deadline;
      this.partition = partition;
      this.day = day;
      this.last = last;
    }

    Audited audit() {
      archived
          .hidden(partition, day)
          .forEach(name -> differences.add(new Difference(Kind.HIDDEN, name)));
      archived
          .manifest(partition, day)
          .orElseThrow(() -> new IllegalStateException(day + " is not complete."))
          .parts()
          .forEach(this::lines);
      Manifest newest = archived.manifest(partition, last).orElseThrow();
      newest.openPlans().forEach(id -> open.add(id.value()));
      newest.openActions().forEach(id -> open.add(id.value()));
      GovernedRows.Touched named = new GovernedRows.Touched();
      governed
          .receipts(partition, day)
          .forEach(
              row -> {
                named.by(row);
                row(RowKind.RECEIPT, row.key().range(), row);
              });
      List<Item> plans = new ArrayList<>();
      governed
          .plans(partition, day)
          .forEach(
              row -> {
                plans.add(row);
                if (plans.size() == GovernedRows.AT_ONCE) {
                  plans(plans);
                }
              });
      plans(plans);
      List<ActionId> others =
          named.actions().stream().filter(id -> !actionsMet.contains(id)).toList();
      for (int from = 0; from < others.size(); from += GovernedRows.AT_ONCE) {
        int end = Math.min(others.size(), from + GovernedRows.AT_ONCE);
        governed.actions(partition, others.subList(from, end)).forEach(this::action);
      }
      for (RowKind kind : RowKind.values()) {
        extra(kind);
      }
      return new Audited(inTable, inArchive, differences);
    }

    private void plans(List<Item> rows) {
      rows.forEach(row -> met(RowKind.PLAN, RowKind.PLAN.idOf(row.key()), row));
      List<Item> ended = rows.stream().filter(GovernedRows::hasEnded).toList();
      for (GovernedRows.WholePlan whole : governed.whole(partition, ended)) {
        String id = whole.plan().id().value();
        row(RowKind.PLAN, id, whole.row());
        // What goes with a plan is written with it, however long it has been final by itself.
        boolean yet = isYetToBeWritten(id, whole.row());
        whole.beside().forEach(row -> row(RowKind.PLAN, id, row, yet));
        whole.approval().forEach(row -> row(RowKind.APPROVAL, idOfApproval(whole), row, yet));
        whole.actions().forEach(this::action);
      }
      rows.clear();
    }

    private String idOfApproval(GovernedRows.WholePlan whole) {
      return Objects.requireNonNull(whole.plan().approval()).id().value();
    }

    private void action(Item row) {
      ActionId id = Actions.read(row).id();
      actionsMet.add(id);
      row(RowKind.ACTION, id.value(), row);
    }

    private void row(RowKind kind, String id, Item row) {
      row(kind, id, row, isYetToBeWritten(id, row));
    }

    /** Looks for a row of a table in the archive. */
    private void row(RowKind kind, String id, Item row, boolean yet) {
      if (!GovernedRows.hasEnded(row)) {
        if (RowKind.dayOf(id).equals(day)) {
          var unused = met(kind, id, row);
        }
        return;
      }
      Known there = met(kind, id, row);
      if (inTable++ % GovernedRows.AT_ONCE == 0) {
        deadline.check(inTable);
      }
      if (yet) {
        return;
      }
      if (there == null) {
        differs(Kind.MISSING, row.key());
      } else if (!there.is(row)) {
        differs(Kind.CHANGED, row.key());
      }
    }

    /**
     * Whether it came to its end, or was undone or resolved, after the last complete day, or on it:
     * what is due at the end of a day may be recorded on the next; or had not quite ended when that
     * was written.
     */
    private boolean isYetToBeWritten(String id, Item row) {
      long ended = RowLine.leaves(row) - Retention.IN_TABLE.toSeconds();
      return open.contains(id) || ended >= last.atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    }

    /** Notes that a row is in its table; what the archive knows of it, null if nothing. */
    private @Nullable Known met(RowKind kind, String id, Item row) {
      Known there = known(kind, RowKind.dayOf(id)).get(Known.hash(row.key()));
      if (there != null) {
        there.met = true;
      }
      return there;
    }

    /** Looks for what is archived of a kind under the day in the tables. */
    private void extra(RowKind kind) {
      Map<Long, Known> there = known(kind, day);
      inArchive += there.size();
      if (there.values().stream().allMatch(known -> known.met)) {
        return;
      }
      // Which they are, the objects say: their keys are not kept.
      for (Manifest.Part part : archived.parts(partition, kind, day)) {
        Map<Key, Known> unmet = new LinkedHashMap<>();
        for (RowLine line : lines(part)) {
          Key key = RowLine.key(line.text());
          Known known = there.get(Known.hash(key));
          if (known != null && !known.met) {
            known.met = true;
            unmet.put(key, known);
          }
        }
        extra(unmet);
      }
    }

    private void extra(Map<Key, Known> unmet) {
      Set<Key> present = governed.present(List.copyOf(unmet.keySet()));
      long now = clock.instant().getEpochSecond();
      unmet.forEach(
          (key, known) -> {
            if (!present.contains(key) && known.leaves > now) {
              differs(Kind.EXTRA, key);
            }
          });
    }

    private Map<Long, Known> known(RowKind kind, LocalDate of) {
      return read.computeIfAbsent(
          List.of(kind, of),
          _ -> {
            Map<Long, Known> newest = new HashMap<>();
            for (Manifest.Part part : archived.parts(partition, kind, of)) {
              for (RowLine line : lines(part)) {
                Item row = line.item();
                newest.put(Known.hash(row.key()), new Known(line, row));
              }
            }
            return newest;
          });
    }

    /** The lines of an object; none of one that is damaged, which is told once. */
    private List<RowLine> lines(Manifest.Part part) {
      try {
        return archived.lines(part);
      } catch (ArchivedRows.Damaged _) {
        if (damaged.add(part.name())) {
          differences.add(new Difference(Kind.DAMAGED, part.name()));
        }
        return List.of();
      }
    }

    private void differs(Kind kind, Key key) {
      differences.add(
          new Difference(
              kind, "%s %s %s".formatted(key.table().word(), key.partition(), key.range())));
    }
  }
}
