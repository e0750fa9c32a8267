package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Writes a day of a tenant and mode into the archive: the receipts of the day, and the plans and
 * actions that ended on it, whenever they were made. Everything that ends leaves a receipt, so the
 * receipts of a day say what to look at; what had not quite ended is named by the manifest, and
 * looked at again for the day after.
 *
 * <p>An action that is undone or resolved later is written again, under the same day of its own
 * identifier; what was written last counts. A receipt that was written after its day, since it had
 * its identifier from before a crash, is found when the day is read again, a day and a week later.
 *
 * <p>Nothing counts before the manifest, which is written last and once: who dies before it leaves
 * objects that nobody reads, and the day is written again. Thread-safe.
 */
public final class ArchiveDay {
  /** After how many days a day is looked at again, for receipts that were written after it. */
  private static final List<Integer> AGAIN = List.of(1, 7);

  private final GovernedRows governed;
  private final ArchiveObjects objects;
  private final ArchivedRows archived;
  private final int large;

  public ArchiveDay(Store store, ArchiveObjects objects) {
    this(store, objects, DayObjects.LARGE);
  }

  ArchiveDay(Store store, ArchiveObjects objects, int large) {
    this.governed = new GovernedRows(store);
    this.objects = objects;
    this.archived = new ArchivedRows(objects);
    this.large = large;
  }

  /**
   * Writes a day that is over, unless it is complete. The day before must be, unless it is the
   * first of its tenant.
   */
  public Manifest write(Partition partition, LocalDate day) {
    return write(partition, day, Deadline.NONE);
  }

  /**
   * The same, by a time.
   *
   * @throws IllegalStateException if it has passed; nothing of the day counts then
   */
  Manifest write(Partition partition, LocalDate day, Deadline deadline) {
    return archived
        .manifest(partition, day)
        .orElseGet(() -> new Pass(partition, day, deadline).write());
  }

  /** One attempt at a day. Not thread-safe. */
  private final class Pass {
    private final Partition partition;
    private final LocalDate day;
    private final DayObjects written;
    private final GovernedRows.Touched touched = new GovernedRows.Touched();
    private final Set<ActionId> seen = new HashSet<>();
    private final SortedSet<String> openPlans = new TreeSet<>();
    private final SortedSet<String> openActions = new TreeSet<>();

    private final Deadline deadline;
    private long receipts;

    Pass(Partition partition, LocalDate day, Deadline deadline) {
      this.partition = partition;
      this.day = day;
      this.deadline = deadline;
      this.written = new DayObjects(objects, partition, day, large);
    }

    Manifest write() {
      receipts(governed.receipts(partition, day));
      AGAIN.forEach(days -> late(day.minusDays(days)));
      archived
          .manifest(partition, day.minusDays(1))
          .ifPresent(
              before -> {
                touched.plans(before.openPlans());
                touched.actions(before.openActions());
              });
      inChunks(touched.plans(), this::plans);
      inChunks(touched.actions(), this::actions);
      return written.complete(
          openPlans.stream().map(PlanId::new).toList(),
          openActions.stream().map(ActionId::new).toList());
    }

    private void receipts(Stream<Item> rows) {
      rows.forEach(this::receipt);
    }

    private void receipt(Item row) {
      if (receipts++ % GovernedRows.AT_ONCE == 0) {
        deadline.check(receipts);
      }
      touched.by(row);
      if (GovernedRows.hasEnded(row)) {
        written.add(RowKind.RECEIPT, row.key().range(), row);
      }
    }

    /** Receipts of a day before that are not in the archive. */
    private void late(LocalDate before) {
      Tallied[] inTable = {Tallied.NONE};
      governed
          .receipts(partition, before)
          .filter(GovernedRows::hasEnded)
          .forEach(row -> inTable[0] = inTable[0].with(RowLine.of(row)));
      if (inTable[0].equals(archived.tallied(partition, RowKind.RECEIPT, before))) {
        return;
      }
      Set<Key> there = new HashSet<>();
      for (Manifest.Part part : archived.parts(partition, RowKind.RECEIPT, before)) {
        archived.lines(part).forEach(line -> there.add(line.item().key()));
      }
      receipts(governed.receipts(partition, before).filter(row -> !there.contains(row.key())));
    }

    private void plans(List<PlanId> ids) {
      deadline.check(receipts);
      List<Item> ended = new ArrayList<>();
      for (Item row : governed.plans(partition, ids)) {
        if (GovernedRows.hasEnded(row)) {
          ended.add(row);
        } else {
          openPlans.add(row.text("id"));
        }
      }
      governed.whole(partition, ended).forEach(this::plan);
    }

    private void plan(GovernedRows.WholePlan whole) {
      String id = whole.plan().id().value();
      written.add(RowKind.PLAN, id, whole.row());
      whole.beside().forEach(row -> written.add(RowKind.PLAN, id, row));
      whole
          .approval()
          .forEach(
              row -> written.add(RowKind.APPROVAL, ApprovalRecord.read(row).id().value(), row));
      whole.actions().forEach(this::action);
    }

    private void actions(List<ActionId> ids) {
      deadline.check(receipts);
      List<ActionId> left = ids.stream().filter(id -> !seen.contains(id)).toList();
      governed.actions(partition, left).forEach(this::action);
    }

    private void action(Item row) {
      Action action = Actions.read(row);
      if (!seen.add(action.id())) {
        return;
      }
      if (GovernedRows.hasEnded(row)) {
        written.add(RowKind.ACTION, action.id().value(), row);
      } else if (!openPlans.contains(action.terms().planId().value())
          || action.terms().undoesAtOnce()) {
        openActions.add(action.id().value());
      }
    }
  }

  private static <T> void inChunks(List<T> all, Consumer<List<T>> work) {
    for (int from = 0; from < all.size(); from += GovernedRows.AT_ONCE) {
      work.accept(all.subList(from, Math.min(all.size(), from + GovernedRows.AT_ONCE)));
    }
  }
}
