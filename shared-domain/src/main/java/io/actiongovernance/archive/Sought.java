package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.ActionRows;
import io.actiongovernance.approval.Votes;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.plan.PlanRows;
import io.actiongovernance.receipt.ReceiptRows;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listed;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/** What of the archive a query of the tables is about. */
sealed interface Sought {
  /** Whose rows. */
  Partition partition();

  /** The rows of one plan: its votes. */
  record OfPlan(Partition partition, PlanId plan) implements Sought {}

  /** What was done at once to undo actions of a plan. */
  record Undos(Partition partition, PlanId plan) implements Sought {}

  /** What is found by the days that its range keys say. */
  sealed interface InDays extends Sought {
    /** The day of a range key. */
    LocalDate dayOf(String range);

    /** The least range key of a day. */
    String first(LocalDate day);
  }

  /** Rows of a kind, in the order of their identifiers. */
  record ByIdentifier(Partition partition, RowKind kind, Listed listed) implements InDays {
    @Override
    public LocalDate dayOf(String range) {
      return RowKind.dayOf(range);
    }

    @Override
    public String first(LocalDate day) {
      return kind.prefix() + Ids.floor(begins(day));
    }
  }

  /** Actions, in the order of their disposals. */
  record ByDisposal(Partition partition, ActionRows.Disposed like) implements InDays {
    private static final int DATE = "2026-11-24".length();

    @Override
    public LocalDate dayOf(String range) {
      // A year of more than four digits has a sign before it.
      return range.startsWith("+") ? LocalDate.MAX : LocalDate.parse(range.substring(0, DATE));
    }

    @Override
    public String first(LocalDate day) {
      return Timestamps.format(begins(day));
    }

    /** The instant of a range key. */
    static Instant timeOf(String range) {
      return Timestamps.read(range.substring(0, range.indexOf('Z') + 1));
    }
  }

  private static Instant begins(LocalDate day) {
    return day.atStartOfDay().toInstant(ZoneOffset.UTC);
  }

  /** What a query is about; empty of what is not archived. */
  static Optional<Sought> of(Query query) {
    return Partition.of(query.partition()).flatMap(partition -> of(partition, query));
  }

  private static Optional<Sought> of(Partition partition, Query query) {
    if (query.table() == Table.STATE
        && query.index() == null
        && Votes.isOfVotes(partition, query.partition())) {
      String key = query.partition();
      return PlanId.parse(key.substring(key.lastIndexOf('#') + 1))
          .map(plan -> new OfPlan(partition, plan));
    }
    return ReceiptRows.listed(partition, query)
        .<Sought>map(listed -> new ByIdentifier(partition, RowKind.RECEIPT, listed))
        .or(
            () ->
                PlanRows.listed(partition, query)
                    .map(listed -> new ByIdentifier(partition, RowKind.PLAN, listed)))
        .or(
            () ->
                ActionRows.disposed(partition, query).map(like -> new ByDisposal(partition, like)))
        .or(() -> ActionRows.undone(partition, query).map(plan -> new Undos(partition, plan)));
  }

  /** Where in the archive the row of a key is. */
  record Place(Partition partition, RowKind kind, String id) {
    /** That of a key, whose identifier was made here; empty of what is not archived. */
    static Optional<Place> of(Key key) {
      return Partition.of(key.partition())
          .flatMap(
              partition ->
                  kind(partition, key)
                      .map(kind -> new Place(partition, kind, kind.idOf(key)))
                      .filter(place -> place.kind.isMinted(place.id)));
    }

    private static Optional<RowKind> kind(Partition partition, Key key) {
      if (ReceiptRows.isReceipt(partition, key)) {
        return Optional.of(RowKind.RECEIPT);
      }
      if (ActionRows.isAction(partition, key)) {
        return Optional.of(RowKind.ACTION);
      }
      if (ApprovalRecord.isApproval(partition, key)) {
        return Optional.of(RowKind.APPROVAL);
      }
      boolean ofPlan =
          PlanRows.isOfPlan(partition, key)
              || key.table() == Table.STATE && Votes.isOfVotes(partition, key.partition());
      return ofPlan ? Optional.of(RowKind.PLAN) : Optional.empty();
    }
  }
}
