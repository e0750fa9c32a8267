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
  private final EventLog eventLog;

  public CreatePlan(Store store, Transactions transactions, Plans plans, EventLog eventLog) {
    this.store = store;
    this.transactions = transactions;
    this.plans = plans;
    this.eventLog = eventLog;
  }

  /** What became earlier of it, if anything; where it is of an event, until that was read. */
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
   * @return the plan, or the one that was there before; empty if what there was to be one plan of
   *     was refused before
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
   * Stores the plan in place of another, which is vetoed in the same transaction.
   *
   * @return whether that was done; not if the other is not open any more, or if the plan is there
   */
  boolean createInPlaceOf(NewPlan made, Write vetoed) {
    return create(made, List.of(vetoed));
  }

  private boolean create(NewPlan made, List<Write> along) {
    List<Write> writes = writes(made, made.plan(), List.of(), due(made.plan()));
    writes.addAll(along);
    // What does not fit into one transaction goes before it: without the plan's row it does not
    // exist.
    int before = Math.max(0, writes.size() - Store.MAX_TRANSACTION);
    if (before > 0) {
      transactions.run(writes.subList(0, before));
    }
    return transactions.run(writes.subList(before, writes.size())).done();
  }

  /**
   * Stores the plan together with what it touches and these writes, in one transaction or not at
   * all.
   *
   * @param due when it is looked at again, should nobody have moved it on by then
   * @return whether it was stored; not if it is there already, or the one that was to be instead of
   *     it, or if any of the touches or writes is refused, or if all of it is too large for one
   *     transaction
   */
  public boolean createWith(
      NewPlan made, List<EventLog.Touch> touches, List<Write> along, Instant due) {
    List<Write> writes = writes(made, made.plan(), touches, due);
    writes.addAll(along);
    return writes.size() <= Store.MAX_TRANSACTION && transactions.run(writes).done();
  }

  /**
   * The writes that store the plan, with what it touches, as one that executes under this claim,
   * for the transaction that takes its locks; refused if it is there already, or the one that was
   * to be instead of it, or any of the touches.
   *
   * @param due when it is looked at again, should nobody have moved it on by then
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

  /** The write that marks something there is to be one plan of, perhaps of an event, as refused. */
  public Write markRefused(Partition partition, @Nullable EventId event, String once) {
    return event == null
        ? Write.insert(mark(partition, once).with("refused", "true").build())
        : eventLog.refused(partition, event, once);
  }

  /** The mark of a scheduled run, which is asked for again for a week at most. */
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

  /** When a plan that was proposed just now is looked at again. */
  public static Instant due(Plan plan) {
    Instant proposedAt = plan.terms().proposedAt();
    return plan.terms().held() ? plan.nextLook(proposedAt) : proposedAt.plus(RECHECK);
  }

  private static Key markKey(Partition partition, String once) {
    return Key.single(Table.STATE, partition.key("proposal#" + once));
  }
}
