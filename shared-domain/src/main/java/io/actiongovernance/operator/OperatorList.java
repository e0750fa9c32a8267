package io.actiongovernance.operator;

import static java.util.Comparator.comparing;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lists operators, newest first. Each filter alone uses an index; both together read the
 * workspace's index and skip other statuses, a bounded number for each page.
 */
record OperatorList(Store store) {
  private static final int MOST_PASSED_OVER = 500;

  /** Characters after which a page ends early. */
  private static final long LARGEST_PAGE = 4_000_000;

  Page<Operator> page(
      Caller caller,
      OperatorFilter filter,
      PageRequest page,
      Function<List<Item>, List<Operator>> operators) {
    String workspace = caller.workspaceId() == null ? filter.workspaceId() : caller.workspaceId();
    if (filter.workspaceId() != null && !Objects.equals(filter.workspaceId(), workspace)) {
      return new Page<>(List.of(), null);
    }
    if (caller.reach().isBound()) {
      return bound(caller, filter, page, operators);
    }
    List<Item> rows = new ArrayList<>();
    String below = page.after();
    long size = 0;
    for (int seen = 0; seen < MOST_PASSED_OVER + page.limit(); ) {
      Slice slice =
          store.query(query(caller.partition(), filter.status(), workspace, below, page.limit()));
      for (Item row : slice.items()) {
        if (rows.size() == page.limit() || size > LARGEST_PAGE) {
          return new Page<>(operators.apply(rows), below);
        }
        seen++;
        below = row.text("ordered");
        if (isWanted(row, filter.status())) {
          rows.add(row);
          size += row.whole(OperatorItems.SIZE, 0);
        }
      }
      if (!slice.more()) {
        return new Page<>(operators.apply(rows), null);
      }
    }
    return new Page<>(operators.apply(rows), below);
  }

  /** Lists for a key that is bound to a few operators: each is read by its identifier. */
  private Page<Operator> bound(
      Caller caller,
      OperatorFilter filter,
      PageRequest page,
      Function<List<Item>, List<Operator>> operators) {
    String after = page.after();
    List<Item> rows =
        store
            .getAll(
                caller.operatorIds().stream()
                    .map(id -> OperatorItems.key(caller.partition(), id))
                    .toList())
            .stream()
            .filter(row -> caller.sees(row.textOrNull("workspace_id")))
            .filter(
                row ->
                    filter.workspaceId() == null
                        || filter.workspaceId().equals(row.textOrNull("workspace_id")))
            .filter(row -> isShown(row, filter.status()))
            .filter(row -> after == null || row.text("ordered").compareTo(after) < 0)
            .sorted(comparing((Item row) -> row.text("ordered")).reversed())
            .toList();
    boolean more = rows.size() > page.limit();
    List<Item> shown = more ? rows.subList(0, page.limit()) : rows;
    return new Page<>(operators.apply(shown), more ? shown.getLast().text("ordered") : null);
  }

  /** Archived operators appear only if the caller asks for them. */
  private static boolean isShown(Item row, @Nullable OperatorStatus status) {
    return status == null
        ? !row.text("status").equals(OperatorStatus.ARCHIVED.wire())
        : isWanted(row, status);
  }

  private static boolean isWanted(Item row, @Nullable OperatorStatus status) {
    return status == null || row.text("status").equals(status.wire());
  }

  private static Query query(
      Partition partition,
      @Nullable OperatorStatus status,
      @Nullable String workspace,
      @Nullable String below,
      int limit) {
    Query all;
    if (workspace != null) {
      boolean archived = status == OperatorStatus.ARCHIVED;
      all =
          Query.of(
              Table.STATE, "by_parent", OperatorItems.byWorkspace(partition, workspace, archived));
    } else if (status != null) {
      all = Query.of(Table.STATE, "by_status", OperatorItems.byStatus(partition, status));
    } else {
      all = Query.of(Table.STATE, "by_list", OperatorItems.listed(partition));
    }
    return all.below(below).newestFirst().limit(limit + 1);
  }
}
