package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a plan with every verdict. For an open plan, that is the verdict that would bind now: the
 * stricter of the proposal's verdict and the current guardrails' (contract, section 3).
 * Thread-safe.
 */
public final class RetrievePlan {
  private final Store store;
  private final PlannedActions planned;
  private final Operators operators;
  private final Connectors connectors;
  private final ExpirePlan expirePlan;
  private final InstantSource clock;

  public RetrievePlan(
      Store store,
      PlannedActions planned,
      Operators operators,
      Connectors connectors,
      ExpirePlan expirePlan,
      InstantSource clock) {
    this.store = store;
    this.planned = planned;
    this.operators = operators;
    this.connectors = connectors;
    this.expirePlan = expirePlan;
    this.clock = clock;
  }

  /** Plan with its actions in order, each with the verdict to show. */
  public record Read(Plan plan, List<ActionWithVerdict> actions) {
    /**
     * Returns the sums over the actions that may run. After the plan has ended, these are the
     * actions that were to run.
     */
    public List<ValueSum> values() {
      return ValueSum.of(
          actions.stream()
              .filter(ActionWithVerdict::mayRun)
              .map(ActionWithVerdict::action)
              .toList());
    }

    /**
     * Returns the number of actions that may run or were to run, besides the plan's first action.
     */
    public int more() {
      return Math.toIntExact(actions.stream().skip(1).filter(ActionWithVerdict::mayRun).count());
    }
  }

  /**
   * Action with the verdict to show for it.
   *
   * @param connector the connector that would make the call; null if the plan is not open or the
   *     connector is missing
   */
  public record ActionWithVerdict(Action action, Verdict verdict, @Nullable Connector connector) {
    /** Returns whether it may run or was to run, because it is neither refused nor skipped. */
    boolean mayRun() {
      Action.Closing closing = action.closing();
      return verdict.mayRun()
          && !action.isBlocked()
          && (closing == null || closing.outcome() != ReceiptOutcome.SKIPPED);
    }
  }

  /**
   * Returns the plan, if the caller may see it. An overdue plan is returned as expired, whether or
   * not that has been recorded.
   */
  public Outcome<Read> retrieve(Caller caller, PlanId id) {
    return find(caller, id).then(plan -> Outcome.done(read(plan)));
  }

  /** Returns the plan without its actions, if the caller may see it. */
  public Outcome<Plan> find(Caller caller, PlanId id) {
    return planned
        .plans()
        .find(caller.partition(), id)
        .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()))
        .map(expirePlan::seen)
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(new Refusal.NotFound("plan")));
  }

  public Read read(Plan plan) {
    List<Action> all = planned.allOf(plan);
    Map<Key, Item> present = plan.disposedAt() == null ? present(plan, all) : Map.of();
    Optional<Operator> operator =
        Optional.ofNullable(present.get(operatorKey(plan))).map(operators::read);
    Map<ConnectorId, Connector> through = new HashMap<>();
    for (Action action : all) {
      Item item = present.get(connectorKey(action));
      if (item != null) {
        through.computeIfAbsent(action.terms().connector(), _ -> connectors.read(item));
      }
    }
    List<ActionWithVerdict> shown =
        all.stream()
            .map(
                action ->
                    new ActionWithVerdict(
                        action,
                        shown(
                            plan,
                            action,
                            operator,
                            Optional.ofNullable(through.get(action.terms().connector()))),
                        through.get(action.terms().connector())))
            .toList();
    return new Read(plan, shown);
  }

  /** Reads the state that the execution of an open plan depends on, in one request. */
  private Map<Key, Item> present(Plan plan, List<Action> actions) {
    Stream<Key> keys = actions.stream().map(RetrievePlan::connectorKey);
    return store.getByKey(Stream.concat(Stream.of(operatorKey(plan)), keys).distinct().toList());
  }

  private static Key operatorKey(Plan plan) {
    return Operators.key(plan.partition(), plan.terms().operatorId());
  }

  private static Key connectorKey(Action action) {
    return Connectors.key(action.partition(), action.terms().connector());
  }

  Verdict shown(Plan plan, Action action) {
    Map<Key, Item> present = present(plan, List.of(action));
    return shown(
        plan,
        action,
        Optional.ofNullable(present.get(operatorKey(plan))).map(operators::read),
        Optional.ofNullable(present.get(connectorKey(action))).map(connectors::read));
  }

  private Verdict shown(
      Plan plan, Action action, Optional<Operator> operator, Optional<Connector> connector) {
    Action.Disposal disposal = action.disposal();
    if (disposal != null) {
      return disposal.verdict();
    }
    return plan.disposedAt() == null
        ? ExecutionPolicy.binding(action, operator, connector, clock.instant())
        : action.terms().verdict();
  }
}
