package io.actiongovernance.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.Summary;
import io.actiongovernance.event.NewOutcome;
import io.actiongovernance.event.OutcomeLog;
import io.actiongovernance.event.OutcomeType;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes plan outcomes into the log (contract for agents, section 3): a plan was proposed, its
 * actions were disposed, or the plan itself was disposed. Changes may arrive again, late and out of
 * order. So each change also adds those earlier outcomes of the plan that the log still lacks.
 * Thread-safe.
 */
public final class TellOutcomes {
  private static final String NAME = "name";

  private final Store store;
  private final OutcomeLog log;

  public TellOutcomes(Store store, OutcomeLog log) {
    this.store = store;
    this.log = log;
  }

  /** Change of a plan, as stored. */
  public sealed interface Change {
    record Proposed(PlanId plan) implements Change {}

    record Disposed(PlanId plan) implements Change {}

    record ActionDisposed(ActionId action) implements Change {}
  }

  /** Writes the outcomes of changes, all of one partition. */
  public void tell(Partition partition, Collection<Change> changes) {
    Map<Key, Item> items = new HashMap<>();
    read(items, changes.stream().map(change -> key(partition, change)));
    Map<PlanId, Set<ActionId>> told = new LinkedHashMap<>();
    Set<PlanId> disposed = new HashSet<>();
    for (Change change : changes) {
      switch (change) {
        case Change.Proposed(PlanId plan) -> told.computeIfAbsent(plan, _ -> new HashSet<>());
        case Change.Disposed(PlanId plan) -> {
          told.computeIfAbsent(plan, _ -> new HashSet<>());
          disposed.add(plan);
        }
        case Change.ActionDisposed(ActionId id) -> {
          @Nullable Item item = items.get(key(partition, change));
          if (item != null) {
            told.computeIfAbsent(Actions.read(item).terms().planId(), _ -> new HashSet<>()).add(id);
          }
        }
      }
    }
    read(items, told.keySet().stream().map(plan -> Plans.key(partition, plan)));
    List<Plan> plans =
        told.keySet().stream()
            .map(plan -> items.get(Plans.key(partition, plan)))
            .filter(Objects::nonNull)
            .map(Plans::read)
            .toList();
    read(items, plans.stream().flatMap(plan -> around(plan, told)));
    log.append(
        partition,
        plans.stream()
            .map(
                plan ->
                    new Telling(plan, items, Objects.requireNonNull(told.get(plan.id())))
                        .chain(disposed.contains(plan.id())))
            .toList());
  }

  private static Key key(Partition partition, Change change) {
    return switch (change) {
      case Change.Proposed(PlanId plan) -> Plans.key(partition, plan);
      case Change.Disposed(PlanId plan) -> Plans.key(partition, plan);
      case Change.ActionDisposed(ActionId action) -> Actions.key(partition, action);
    };
  }

  private static Stream<Key> around(Plan plan, Map<PlanId, Set<ActionId>> told) {
    Partition partition = plan.partition();
    return Stream.of(
            Stream.of(Operators.key(partition, plan.terms().operatorId())),
            plan.terms().actionIds().stream().map(id -> Actions.key(partition, id)),
            Objects.requireNonNull(told.get(plan.id())).stream()
                .map(id -> Actions.key(partition, id)))
        .flatMap(keys -> keys);
  }

  private void read(Map<Key, Item> items, Stream<Key> keys) {
    List<Key> missing = keys.distinct().filter(key -> !items.containsKey(key)).toList();
    if (!missing.isEmpty()) {
      items.putAll(store.getByKey(missing));
    }
  }

  private static final class Telling {
    private final Plan plan;
    private final Partition partition;
    private final Plan.Terms terms;
    private final Map<Key, Item> items;
    private final Set<ActionId> told;
    private final List<Action> planned;
    private final String source;

    Telling(Plan plan, Map<Key, Item> items, Set<ActionId> told) {
      this.plan = plan;
      this.partition = plan.partition();
      this.terms = plan.terms();
      this.items = items;
      this.told = told;
      this.planned = terms.actionIds().stream().flatMap(this::action).toList();
      this.source = "operator:" + name(terms.operatorId());
    }

    /** Returns the name of the operator, or its identifier if the operator is missing. */
    private String name(OperatorId operator) {
      @Nullable Item item = items.get(Operators.key(partition, operator));
      return item == null ? operator.value() : item.text(NAME);
    }

    private Stream<Action> action(ActionId id) {
      return Stream.ofNullable(items.get(Actions.key(partition, id))).map(Actions::read);
    }

    /**
     * Returns the outcomes that must be in the log now, in their order.
     *
     * @param whole whether the plan was disposed, and therefore all its actions
     */
    List<NewOutcome> chain(boolean whole) {
      List<NewOutcome> chain = new ArrayList<>();
      chain.add(proposed());
      planned.stream()
          .filter(action -> whole || told.contains(action.id()))
          .filter(action -> action.disposal() != null)
          .forEach(action -> chain.add(disposed(action)));
      Instant disposedAt = plan.disposedAt();
      if (whole && disposedAt != null) {
        chain.add(
            outcome(
                OutcomeType.PLAN_DISPOSED,
                disposedAt,
                "",
                ofPlan(plan.status(disposedAt).wire(), null),
                planned));
      }
      // An undo of an action of the plan comes after the plan.
      told.stream()
          .filter(id -> !terms.actionIds().contains(id))
          .sorted(Comparator.comparing(ActionId::value))
          .flatMap(this::action)
          .filter(action -> action.disposal() != null)
          .forEach(undo -> chain.add(disposed(undo)));
      return chain;
    }

    private NewOutcome proposed() {
      WaitingOn waitingOn = terms.held() ? WaitingOn.APPROVAL : WaitingOn.EXECUTION;
      return outcome(
          OutcomeType.PLAN_PROPOSED,
          terms.proposedAt(),
          "",
          ofPlan(PlanStatus.PROPOSED.wire(), waitingOn.wire()),
          planned);
    }

    private NewOutcome disposed(Action action) {
      Action.Disposal disposal = Objects.requireNonNull(action.disposal());
      Action.Terms done = action.terms();
      ObjectNode payload =
          ofPlan()
              .put("action_id", action.id().value())
              .put("disposition", disposal.disposition().name())
              .put("ok", disposal.ok())
              .put("receipt_id", disposal.receiptId().value())
              .put("connector", done.connector().value())
              .put("tool", done.tool())
              .put("entity_key", done.entityKey().value())
              .put("summary", Summary.worded(done.tool(), done.summary()));
      return outcome(
          OutcomeType.ACTION_DISPOSED,
          disposal.disposedAt(),
          action.id().value(),
          payload,
          List.of(action));
    }

    private ObjectNode ofPlan(String status, @Nullable String waitingOn) {
      return ofPlan().put("status", status).put("waiting_on", waitingOn).put("summary", summary());
    }

    private @Nullable String summary() {
      return planned.isEmpty()
          ? null
          : Summary.worded(planned.getFirst().terms().tool(), terms.outline().summary());
    }

    private ObjectNode ofPlan() {
      EventId event = terms.eventId();
      return Json.object()
          .put("plan_id", plan.id().value())
          .put("event_id", event == null ? null : event.value())
          .put("operator_id", terms.operatorId().value());
    }

    /**
     * @param about distinguishes several outcomes of one type in a plan
     */
    private NewOutcome outcome(
        OutcomeType type, Instant at, String about, ObjectNode payload, List<Action> actions) {
      String seed = String.join("#", partition.key(), plan.id().value(), type.wire(), about);
      return new NewOutcome(
          new EventId(EventId.PREFIX + Ids.derived(at, seed)),
          type,
          plan.id(),
          terms.operatorId(),
          terms.workspaceId(),
          source,
          terms.correlationId(),
          fitted(payload),
          NewOutcome.hashed(Action.entities(actions)));
    }

    /** Leaves out texts that people wrote, if they make the payload too long. */
    private static ObjectNode fitted(ObjectNode payload) {
      for (String longest : List.of("summary", "entity_key")) {
        if (Json.write(payload).getBytes(UTF_8).length > NewOutcome.MOST_BYTES) {
          payload.putNull(longest);
        }
      }
      return payload;
    }
  }
}
