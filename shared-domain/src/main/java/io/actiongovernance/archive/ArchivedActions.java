package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptRows;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Listed;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds archived actions, which are under the day of their identifiers, by their disposals and by
 * the plan whose actions they undid. Thread-safe.
 */
final class ArchivedActions {
  /** Receipts that are read at once, at least. */
  private static final int LEAST = 50;

  private final Store store;
  private final ArchivedRows archived;
  private final ArchivedDays days;

  ArchivedActions(Store store, ArchivedRows archived, ArchivedDays days) {
    this.store = store;
    this.archived = archived;
    this.days = days;
  }

  /**
   * Those that were disposed of on some days, as many as a query asks for, in its order. A disposal
   * has the millisecond of its receipt; the receipts are archived under it, but for those that say
   * that nobody knows, which stay in their table.
   *
   * @param of in the order of the query too
   */
  List<Item> disposed(Sought.ByDisposal sought, Query query, List<LocalDate> of) {
    List<Item> found = new ArrayList<>();
    for (LocalDate day : of) {
      if (found.size() >= query.limit()) {
        break;
      }
      found.addAll(disposed(sought, query.limit(query.limit() - found.size()), day));
    }
    return found;
  }

  private List<Item> disposed(Sought.ByDisposal sought, Query query, LocalDate day) {
    Set<String> unknown = unknown(sought, day);
    List<Item> found = new ArrayList<>(rows(sought, query, unknown));
    Query left = receiptsOf(sought, query, day);
    int most = query.limit() + LEAST;
    boolean more = true;
    while (more && found.size() < query.limit() + unknown.size()) {
      List<Item> receipts = receipts(sought, left.limit(most), day);
      more = receipts.size() >= most;
      Query next = more ? after(left, receipts.getLast()) : left;
      if (more && next.equals(left)) {
        most *= 2; // All of one millisecond.
        continue;
      }
      List<Item> whole =
          more
              ? receipts.stream().filter(one -> !next.holds(one.key().range())).toList()
              : receipts;
      found.addAll(rows(sought, query, actions(sought, whole)));
      left = next;
    }
    Comparator<Item> order = Comparator.comparing(query::rangeOf, NewestRows.order(query));
    return found.stream().sorted(order).limit(query.limit()).toList();
  }

  /** The receipts of a day that may be of disposals in a query's range. */
  private static Query receiptsOf(Sought.ByDisposal sought, Query query, LocalDate day) {
    Instant from = begins(day);
    Instant below = begins(day.plusDays(1));
    if (query.from() != null && sought.dayOf(query.from()).equals(day)) {
      from = Sought.ByDisposal.timeOf(query.from());
    }
    if (query.below() != null && sought.dayOf(query.below()).equals(day)) {
      below = Sought.ByDisposal.timeOf(query.below()).plusMillis(1);
    }
    Query receipts =
        ReceiptRows.ofShard(sought.partition(), sought.like().shard())
            .from(ReceiptLedger.bound(from))
            .below(ReceiptLedger.bound(below));
    return query.descending() ? receipts.newestFirst() : receipts;
  }

  private static Instant begins(LocalDate day) {
    return day.atStartOfDay().toInstant(ZoneOffset.UTC);
  }

  /** What is left of a day's receipts from the millisecond of one on. */
  private static Query after(Query query, Item receipt) {
    Instant madeAt = new ReceiptId(receipt.key().range()).madeAt();
    return query.descending()
        ? query.below(ReceiptLedger.bound(madeAt.plusMillis(1)))
        : query.from(ReceiptLedger.bound(madeAt));
  }

  private List<Item> receipts(Sought.ByDisposal sought, Query query, LocalDate day) {
    Disposition disposition = sought.like().disposition();
    Predicate<Lines.Line> listed = ArchivedDays.listedBy(query);
    Listed disposed = new Listed(FilterValues.DISPOSITION, disposition.name());
    return days.rows(
        new Sought.ByIdentifier(sought.partition(), RowKind.RECEIPT, disposed),
        query,
        day,
        line ->
            listed.test(line)
                && line.text().contains(disposition.name())
                && says(sought, RowLine.item(line.text())));
  }

  /** The actions of receipts in the table that do not say what came of them. */
  private Set<String> unknown(Sought.ByDisposal sought, LocalDate day) {
    Query all = ReceiptRows.unknownOfShard(sought.partition(), sought.like().shard());
    String index = Objects.requireNonNull(all.index()).hash();
    List<Item> receipts =
        Merged.of(store, Table.RECEIPTS, index, List.of(all.partition()))
            .all(
                all.from(ReceiptLedger.bound(begins(day)))
                    .below(ReceiptLedger.bound(begins(day.plusDays(1)))))
            .filter(receipt -> says(sought, receipt))
            .toList();
    return actions(sought, receipts);
  }

  /** Whether a receipt says that its action was disposed of like this. */
  private static boolean says(Sought.ByDisposal sought, Item receipt) {
    return sought
        .like()
        .disposition()
        .name()
        .equals(receipt(sought, receipt).text(FilterValues.DISPOSITION));
  }

  private static Receipt receipt(Sought sought, Item row) {
    return ReceiptLedger.receipt(sought.partition(), row);
  }

  private static Set<String> actions(Sought sought, List<Item> receipts) {
    Set<String> ids = new HashSet<>();
    receipts.stream()
        .flatMap(one -> Stream.ofNullable(receipt(sought, one).text("action_id")))
        .forEach(ids::add);
    return ids;
  }

  /** The archived ones of these actions that are in a query's list. */
  private List<Item> rows(Sought.ByDisposal sought, Query query, Set<String> ids) {
    return archived.of(sought.partition(), RowKind.ACTION, ids).values().stream()
        .filter(row -> isListed(query, row))
        .toList();
  }

  private static boolean isListed(Query query, Item row) {
    String hash = Objects.requireNonNull(query.index()).hash();
    return query.partition().equals(row.textOrNull(hash)) && query.holds(query.rangeOf(row));
  }

  /**
   * What was done at once to undo actions of a plan. With each of it the original is written anew,
   * so that the objects with the plan's actions say on which days to look; or, where another undo
   * was begun before that was written, the other says it.
   */
  List<Item> undos(Sought.Undos sought, Query query, List<ActionId> actions) {
    Partition partition = sought.partition();
    Listed ofPlan = new Listed(FilterValues.PLAN, sought.plan().value());
    Predicate<Lines.Line> listed = ArchivedDays.listedBy(query);
    Deque<LocalDate> left = new ArrayDeque<>();
    actions.stream()
        .map(id -> RowKind.dayOf(id.value()))
        .distinct()
        .flatMap(day -> archived.written(partition, RowKind.ACTION, day).stream())
        .map(manifest -> LocalDate.parse(manifest.day()))
        .forEach(left::add);
    Set<LocalDate> seen = new HashSet<>();
    NewestRows newest = new NewestRows(query);
    while (!left.isEmpty()) {
      LocalDate written = left.remove();
      if (seen.add(written)) {
        archived.manifest(partition, written).stream()
            .flatMap(manifest -> undos(manifest, ofPlan))
            .forEach(
                part ->
                    archived.read(part).all().stream()
                        .filter(listed)
                        .forEach(
                            line -> {
                              Item undo = RowLine.item(line.text());
                              LocalDate day = RowKind.dayOf(RowKind.ACTION.idOf(line.key()));
                              left.addAll(List.of(day.minusDays(1), day));
                              if (query.holds(query.rangeOf(undo))) {
                                newest.add(part, query.rangeOf(undo), line.text());
                              }
                            }));
      }
    }
    return newest.rows();
  }

  private Stream<Manifest.Part> undos(Manifest manifest, Listed ofPlan) {
    return manifest.parts().stream()
        .filter(part -> part.kind() == RowKind.ACTION)
        .filter(
            part ->
                archived.mayHold(manifest, RowKind.ACTION, LocalDate.parse(part.day()), ofPlan));
  }
}
