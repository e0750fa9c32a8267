package io.actiongovernance.archive;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Actions;
import io.actiongovernance.approval.Votes;
import io.actiongovernance.due.Due;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRows;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Store;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads from the tables what is to be archived, by its identifiers and by the day of these: no
 * index is needed but the lists that there are. Thread-safe.
 */
final class GovernedRows {
  /** How many items are asked for at once. */
  static final int AT_ONCE = 100;

  private final Store store;
  private final ReceiptLedger ledger;
  private final Votes votes;

  GovernedRows(Store store) {
    this.store = store;
    this.ledger = new ReceiptLedger(store);
    this.votes = new Votes(store);
  }

  /**
   * Whether a row may be archived: it has come to its end, and nobody is to look at it again. What
   * is open or unknown never says when it may leave its table.
   */
  static boolean hasEnded(Item row) {
    return row.has(Retention.ARCHIVE_EXPIRES) && !Due.isIn(row);
  }

  /** The receipts of a day, unknown ones too. */
  Stream<Item> receipts(Partition partition, LocalDate day) {
    return ledger.made(
        partition,
        day.atStartOfDay().toInstant(ZoneOffset.UTC),
        day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC));
  }

  /** The plans whose identifiers were made on a day. */
  Stream<Item> plans(Partition partition, LocalDate day) {
    return PlanRows.made(
        store,
        partition,
        day.atStartOfDay().toInstant(ZoneOffset.UTC),
        day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC));
  }

  /** What receipts are about: the plans and actions that may have come to their end by them. */
  static final class Touched {
    private final Set<String> plans = new HashSet<>();
    private final Set<String> actions = new HashSet<>();

    void by(Item receipt) {
      JsonNode document = Json.read(receipt.text("doc"));
      note(plans, document.path("plan_id"));
      note(actions, document.path("action_id"));
      note(actions, document.path("undo_of"));
    }

    private static void note(Set<String> ids, JsonNode id) {
      if (id.isTextual()) {
        ids.add(id.textValue());
      }
    }

    void plans(Collection<PlanId> more) {
      more.forEach(id -> plans.add(id.value()));
    }

    void actions(Collection<ActionId> more) {
      more.forEach(id -> actions.add(id.value()));
    }

    boolean has(ActionId action) {
      return actions.contains(action.value());
    }

    List<PlanId> plans() {
      return plans.stream().sorted().map(PlanId::new).toList();
    }

    List<ActionId> actions() {
      return actions.stream().sorted().map(ActionId::new).toList();
    }
  }

  /** The plans' own rows, of those that there are. */
  List<Item> plans(Partition partition, List<PlanId> ids) {
    return store.getAll(ids.stream().map(id -> Plans.key(partition, id)).toList());
  }

  /** The actions' rows, of those that there are. */
  List<Item> actions(Partition partition, List<ActionId> ids) {
    return store.getAll(ids.stream().map(id -> Actions.key(partition, id)).toList());
  }

  /** A plan that has ended, with all that goes with it. */
  record WholePlan(
      Plan plan, Item row, List<Item> actions, List<Item> beside, List<Item> approval) {}

  /** Plans that have ended, with their actions, exchanges, entities, votes and approvals. */
  List<WholePlan> whole(Partition partition, List<Item> planRows) {
    List<Plan> plans = planRows.stream().map(Plans::read).toList();
    Map<Key, Item> actions =
        byKey(
            plans.stream()
                .flatMap(plan -> plan.terms().actionIds().stream())
                .map(id -> Actions.key(partition, id))
                .toList());
    List<List<Item>> ofPlans =
        plans.stream().map(plan -> these(keysOfActions(plan), actions)).toList();
    Map<Key, Item> beside = new HashMap<>();
    List<Key> wanted = new ArrayList<>();
    for (int at = 0; at < plans.size(); at++) {
      wanted.addAll(PlanRows.beside(plans.get(at), entities(ofPlans.get(at))));
      wanted.addAll(keyOfApproval(plans.get(at)));
    }
    beside.putAll(byKey(wanted));
    List<WholePlan> whole = new ArrayList<>();
    for (int at = 0; at < plans.size(); at++) {
      Plan plan = plans.get(at);
      List<Item> rows =
          new ArrayList<>(these(PlanRows.beside(plan, entities(ofPlans.get(at))), beside));
      if (plan.isVotedOn()) {
        rows.addAll(votes.rows(plan));
      }
      whole.add(
          new WholePlan(
              plan, planRows.get(at), ofPlans.get(at), rows, these(keyOfApproval(plan), beside)));
    }
    return whole;
  }

  private static List<Key> keysOfActions(Plan plan) {
    return plan.terms().actionIds().stream().map(id -> Actions.key(plan.partition(), id)).toList();
  }

  private static List<Key> keyOfApproval(Plan plan) {
    Plan.Approval approval = plan.approval();
    return approval == null
        ? List.of()
        : List.of(ApprovalRecord.key(plan.partition(), approval.id()));
  }

  private static List<String> entities(List<Item> actions) {
    return actions.stream()
        .map(row -> Actions.read(row).terms().entityKey().value())
        .distinct()
        .toList();
  }

  private static List<Item> these(List<Key> keys, Map<Key, Item> rows) {
    return keys.stream().filter(rows::containsKey).map(rows::get).toList();
  }

  private Map<Key, Item> byKey(List<Key> keys) {
    Map<Key, Item> rows = new HashMap<>();
    for (int from = 0; from < keys.size(); from += AT_ONCE) {
      rows.putAll(store.getByKey(keys.subList(from, Math.min(keys.size(), from + AT_ONCE))));
    }
    return rows;
  }

  /** Which of these rows are in their tables. */
  Set<Key> present(List<Key> keys) {
    return byKey(keys).keySet();
  }
}
