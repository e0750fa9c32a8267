package io.actiongovernance.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Actions;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.event.EventPlans.Earlier;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.EventId;
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
 * Stores a plan and its actions. The plan's row is written last and conditionally, so that a
 * half-written plan does not exist. If only one plan may exist for a key, a mark that is written
 * with the plan ensures that. Thread-safe.
 */
public final class CreatePlan {
  /**
   * Time until a plan that needs no approval is looked at again, in case its process dies before
   * running it.
   */
  private static final Duration RECHECK = Duration.ofSeconds(5);

  private final Store store;
  private final Transactions transactions;
  private final Plans plans;
  private final EventLog eventLog;

  public CreatePlan(Store store, Transactions transactions, Plans plans, EventLog eventLog) {
    this.store = store;
    this.transactions = transactions;
    this.plans = plans;
    this.eventLog = eventLog;
  }

  /**
   * Returns the earlier plan or refusal, if any. For an event, that is the state when the event was
   * read.
   */
  public Optional<Earlier> earlier(
      Partition partition, @Nullable Event event, @Nullable String once) {
    return event == null ? marked(partition, once) : event.plans().earlier(once);
  }

  private Optional<Earlier> earlier(NewPlan made) {
    Partition partition = made.plan().partition();
    EventId event = made.plan().terms().eventId();
    return event == null
        ? marked(partition, made.once())
        : eventLog.plans(partition, event).earlier(made.once());
  }

  private Optional<Earlier> marked(Partition partition, @Nullable String once) {
    return once == null
        ? Optional.empty()
        : store.get(markKey(partition, once)).map(CreatePlan::earlier);
  }

  private static Earlier earlier(Item mark) {
    String plan = mark.textOrNull("plan");
    return new Earlier(plan == null ? null : new PlanId(plan));
  }

  /**
   * Stores the plan.
   *
   * @return the plan, or the plan stored before under the same {@link NewPlan#once}; empty if that
   *     proposal was refused before
   */
  public Optional<Plan> create(NewPlan made) {
    Plan plan = made.plan();
    if (create(made, List.of())) {
      return Optional.of(plan);
    }
    Earlier there = earlier(made).orElse(new Earlier(plan.id()));
    return Optional.ofNullable(there.planId())
        .map(id -> plans.find(plan.partition(), id).orElseThrow());
  }

  /**
   * Stores the plan in place of another, which the same transaction vetoes.
   *
   * @return whether it was stored; false if the other plan is no longer open, or if this plan
   *     already exists
   */
  boolean createInPlaceOf(NewPlan made, Write vetoed) {
    return create(made, List.of(vetoed));
  }

  private boolean create(NewPlan made, List<Write> along) {
    List<Write> writes = writes(made, made.plan(), List.of(), due(made.plan()));
    writes.addAll(along);
    // Writes that do not fit into one transaction go first. Without the plan's row they have no
    // effect.
    int before = Math.max(0, writes.size() - Store.MAX_TRANSACTION);
    if (before > 0) {
      transactions.run(writes.subList(0, before));
    }
    return transactions.run(writes.subList(before, writes.size())).done();
  }

  /**
   * Stores the plan with its touches and these writes, in one transaction or not at all.
   *
   * @param due when to look at the plan again if nothing has advanced it by then
   * @return whether it was stored; false if the plan or a plan in its place exists, a touch or
   *     write is refused, or everything is too large for one transaction
   */
  public boolean createWith(
      NewPlan made, List<EventLog.Touch> touches, List<Write> along, Instant due) {
    List<Write> writes = writes(made, made.plan(), touches, due);
    writes.addAll(along);
    return writes.size() <= Store.MAX_TRANSACTION && transactions.run(writes).done();
  }

  /**
   * Returns the writes that store the plan and its touches as executing under this claim, for the
   * transaction that takes its locks. They are refused if the plan, a plan in its place or a touch
   * already exists.
   *
   * @param due when to look at the plan again if nothing has advanced it by then
   */
  public List<Write> claimed(
      NewPlan made, List<EventLog.Touch> touches, Plan.Claim claim, Instant due) {
    return writes(made, made.plan().executing(claim), touches, due);
  }

  private List<Write> writes(NewPlan made, Plan plan, List<EventLog.Touch> touches, Instant due) {
    List<Write> writes = new ArrayList<>();
    ModelExchange exchange = made.exchange();
    if (exchange != null) {
      writes.add(KeptExchanges.keep(plan, exchange));
    }
    made.actions().forEach(action -> writes.add(Actions.insert(action)));
    for (EntityKey entity : new TreeSet<>(made.entities())) {
      writes.add(
          Write.put(Item.at(Plans.entityRow(plan, entity.value())).build(), Condition.always()));
    }
    EventId event = plan.terms().eventId();
    String once = made.once();
    if (event != null) {
      writes.addAll(eventLog.planned(plan.partition(), event, plan.id(), once, touches));
    } else if (once != null) {
      writes.add(
          Write.insert(mark(plan.partition(), once).with("plan", plan.id().value()).build()));
    }
    writes.add(PlanWrites.insert(plan, needingApproval(made), due));
    return writes;
  }

  /** Returns the write that marks a {@code once} key as refused, within any given event. */
  public Write markRefused(Partition partition, @Nullable EventId event, String once) {
    return event == null
        ? Write.insert(mark(partition, once).with("refused", "true").build())
        : eventLog.refused(partition, event, once);
  }

  /**
   * Returns the beginning of the mark of a scheduled run. A run is requested again for a week at
   * most.
   */
  private static Item.Builder mark(Partition partition, String once) {
    return Item.at(markKey(partition, once));
  }

  private static Set<String> needingApproval(NewPlan made) {
    return made.plan().terms().held()
        ? made.actions().stream()
            .filter(action -> action.terms().verdict().decision() == Decision.ALERT)
            .map(action -> action.id().value())
            .collect(Collectors.toSet())
        : Set.of();
  }

  /** Returns when to look again at a plan that was just proposed. */
  public static Instant due(Plan plan) {
    Instant proposedAt = plan.terms().proposedAt();
    return plan.terms().held() ? plan.nextLook(proposedAt) : proposedAt.plus(RECHECK);
  }

  private static Key markKey(Partition partition, String once) {
    return Key.single(Table.STATE, partition.key("proposal#" + once));
  }
}
