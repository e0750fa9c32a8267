package io.actiongovernance.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores a plan and its actions. The plan's row is written last and conditionally, so that what is
 * half written does not exist; and where there is to be one plan of something, a mark written with
 * it sees to that. Thread-safe.
 */
public final class CreatePlan {
  /**
   * When an unheld plan is looked at again, should the process that made it die before running it.
   */
  private static final Duration RECHECK = Duration.ofSeconds(5);

  private final Store store;
  private final Transactions transactions;
  private final Plans plans;
  private final Actions actions;
  private final EventLog eventLog;

  public CreatePlan(
      Store store, Transactions transactions, Plans plans, Actions actions, EventLog eventLog) {
    this.store = store;
    this.transactions = transactions;
    this.plans = plans;
    this.actions = actions;
    this.eventLog = eventLog;
  }

  /**
   * What became earlier of something there is to be one plan of.
   *
   * @param planId the plan, or null if the proposal was refused
   */
  public record Earlier(@Nullable PlanId planId) {}

  /** What became earlier of it, if anything. */
  public Optional<Earlier> earlier(Partition partition, @Nullable String once) {
    return once == null
        ? Optional.empty()
        : store.get(markKey(partition, once)).map(CreatePlan::earlier);
  }

  private static Earlier earlier(Item mark) {
    String plan = mark.textOrNull("plan");
    return new Earlier(plan == null ? null : new PlanId(plan));
  }

  /** The actions of a stored plan. */
  public List<Action> actions(Plan plan) {
    return actions.findAll(plan.partition(), plan.terms().actionIds());
  }

  /**
   * Stores the plan.
   *
   * @param once what there is to be at most one plan of, or null
   * @param exchange with the model that proposed it, kept for audit; null where there was none
   * @return the plan, or the one that was there before
   */
  public Plan create(
      Plan plan, List<Action> planned, @Nullable String once, @Nullable ModelExchange exchange) {
    List<Write> writes = new ArrayList<>();
    if (exchange != null) {
      writes.add(KeptExchanges.keep(plan, exchange));
    }
    planned.forEach(action -> writes.add(Actions.insert(action)));
    entityRows(plan, planned, writes);
    if (plan.terms().eventId() != null) {
      writes.add(eventLog.planned(plan.partition(), plan.terms().eventId(), plan.id()));
    }
    if (once != null) {
      writes.add(
          Write.insert(
              Item.at(markKey(plan.partition(), once)).with("plan", plan.id().value()).build()));
    }
    writes.add(Plans.insert(plan, needingApproval(plan, planned), due(plan)));
    // What does not fit into one transaction goes before it: without the plan's row it does not
    // exist.
    int before = Math.max(0, writes.size() - Store.MAX_TRANSACTION);
    if (before > 0) {
      transactions.run(writes.subList(0, before));
    }
    if (transactions.run(writes.subList(before, writes.size())).done()) {
      return plan;
    }
    PlanId there = earlier(plan.partition(), once).map(Earlier::planId).orElse(plan.id());
    return plans.find(plan.partition(), there).orElseThrow();
  }

  /** The write that marks something there is to be one plan of as refused. */
  public static Write markRefused(Partition partition, String once) {
    return Write.insert(Item.at(markKey(partition, once)).with("refused", "true").build());
  }

  private static void entityRows(Plan plan, List<Action> planned, List<Write> writes) {
    TreeSet<String> entities = new TreeSet<>();
    planned.forEach(action -> entities.add(action.terms().entityKey()));
    for (String entity : entities) {
      Key key = new Key(Table.STATE, Plans.byEntity(plan.partition(), entity), plan.id().value());
      writes.add(Write.put(Item.at(key).build(), Condition.always()));
    }
  }

  private static Set<String> needingApproval(Plan plan, List<Action> planned) {
    return plan.terms().held()
        ? planned.stream()
            .filter(action -> action.terms().verdict().decision() == Decision.ALERT)
            .map(action -> action.id().value())
            .collect(Collectors.toSet())
        : Set.of();
  }

  private static Instant due(Plan plan) {
    return plan.terms().held() ? plan.terms().expiresAt() : plan.terms().proposedAt().plus(RECHECK);
  }

  private static Key markKey(Partition partition, String once) {
    return Key.single(Table.STATE, partition.key("proposal#" + once));
  }
}
