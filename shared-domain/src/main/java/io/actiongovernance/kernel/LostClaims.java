package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.not;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.action.Action;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.page.Page;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.receipt.ListReceipts;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptFilter;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Repairs lost claims. It applies if the table of claims was restored to an earlier second, all
 * other tables are current, and nothing runs. Actions that have been recorded since as applied or
 * unknown get a claim with that state again. An action that may be in the middle of its call gets
 * an intent with an expired lease. It then ends like an interrupted call: called again under its
 * key if that is safe, otherwise unknown. Open plans are expired; those who still want them propose
 * them again. Each step checks stored state, so repeating it changes nothing. Thread-safe.
 */
public final class LostClaims {
  /** Reason in the receipts of a plan that is expired early. */
  public static final String REASON = "Claims of idempotency keys were lost.";

  /** Value that stands for the attempt of a lost intent. */
  private static final String LOST = "lost";

  private static final int STEP = 20;

  /**
   * Margin by which a receipt's identifier may be older than the claim that was settled with it.
   */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  private final Store store;
  private final PlannedActions planned;
  private final ExpirePlan expirePlan;
  private final ListReceipts receipts;
  private final EffectClaims claims;
  private final InstantSource clock;

  public LostClaims(
      Store store,
      PlannedActions planned,
      ExpirePlan expirePlan,
      ListReceipts receipts,
      EffectClaims claims,
      InstantSource clock) {
    this.store = store;
    this.planned = planned;
    this.expirePlan = expirePlan;
    this.receipts = receipts;
    this.claims = claims;
    this.clock = clock;
  }

  /** Finding, and its repair. */
  public enum Kind {
    /** An open plan, which is expired. */
    OPEN,
    /** An action that may be in the middle of its call, which ends as interrupted. */
    BEGUN,
    /** An applied action whose claim is lost, so that its key is claimed again. */
    APPLIED,
    /** An unknown action whose claim is lost, so that its key is claimed again. */
    UNKNOWN,
    /** A lost action that may have been called, which ends as unknown. */
    UNOWNED,
    /** A lost action whose call was put off. Its key becomes free, or unknown as it was before. */
    UNCALLED
  }

  /**
   * Finding of the repair.
   *
   * @param action null if the finding concerns a whole plan
   */
  public record LostClaim(Kind kind, Partition partition, PlanId plan, @Nullable ActionId action) {}

  /**
   * Finds open plans, and actions whose call may have been begun, of all tenants, in one of {@value
   * Due#SHARDS} shards.
   *
   * @param from the {@link Page#next()} of the step before; null for the first
   * @param until only plans proposed before this time are ended
   * @param apply whether to write; false only reports what would be done
   */
  public Page<LostClaim> open(int shard, @Nullable String from, Instant until, boolean apply) {
    Query due = DueIndex.STEPS.all(shard);
    Slice slice = store.query((from == null ? due : due.from(from)).limit(STEP));
    List<LostClaim> found = new ArrayList<>();
    for (Item item : slice.items()) {
      Partition partition = Partition.parse(item.text("partition"));
      switch (item.text("kind")) {
        case "plan" ->
            planned
                .plans()
                .find(partition, new PlanId(item.text("id")))
                .ifPresent(plan -> found.addAll(plan(plan, until, apply)));
        case "export", EntityLocks.SETTLING -> {
          // These have no effect at a source system.
        }
        default ->
            planned
                .actions()
                .find(partition, new ActionId(item.text("id")))
                .filter(undo -> !undo.settled())
                .flatMap(undo -> begun(new Execution(undo, Optional.empty()), apply))
                .ifPresent(found::add);
      }
    }
    return new Page<>(found, slice.more() ? due.rangeOf(slice.items().getLast()) + "$" : null);
  }

  private List<LostClaim> plan(Plan plan, Instant until, boolean apply) {
    if (plan.state() == Plan.State.EXECUTING) {
      Set<EntityKey> seen = new HashSet<>();
      return planned.selectedOf(plan).stream()
          .filter(action -> !action.settled())
          .map(action -> new Execution(action, Optional.of(plan)))
          .filter(execution -> !execution.mandate().refusedAtClaim())
          // An action behind another one on its entity was not begun.
          .filter(execution -> seen.add(execution.action().terms().entityKey()))
          .flatMap(execution -> begun(execution, apply).stream())
          .toList();
    }
    if (plan.state() != Plan.State.PROPOSED || !plan.terms().proposedAt().isBefore(until)) {
      return List.of();
    }
    if (apply) {
      expirePlan.endEarly(plan, REASON);
    }
    return List.of(new LostClaim(Kind.OPEN, plan.partition(), plan.id(), null));
  }

  /** Repairs an action for which no record tells any longer whether its call was begun. */
  private Optional<LostClaim> begun(Execution execution, boolean apply) {
    Action action = execution.action();
    boolean own =
        claims
            .find(action)
            .filter(
                claim ->
                    claim.state() != State.FREE
                        && !(claim.owner().equals(action.id()) && claim.state() == State.PACED))
            .isPresent();
    if (own) {
      return Optional.empty();
    }
    Condition free =
        or(
            absent(),
            equal("state", State.FREE.name()),
            and(EffectClaims.owned(action, State.PACED), lacks("prior")));
    if (apply) {
      store.write(Write.put(claim(execution, State.INTENT, "[]"), free));
    }
    return Optional.of(
        new LostClaim(Kind.BEGUN, action.partition(), action.terms().planId(), action.id()));
  }

  /**
   * Restores the claims of one tenant and mode for the actions that were recorded after the restore
   * point.
   *
   * @param since the second to which claims were restored
   * @param after the {@link Page#next()} of the step before; null for the first
   * @param apply whether to write; false only reports what would be done
   */
  public Page<LostClaim> recorded(
      Partition partition, Instant since, @Nullable String after, boolean apply) {
    ReceiptFilter filter = new ReceiptFilter(Map.of(), since.minus(MARGIN), null, Reach.WHOLE);
    Page<Receipt> page = receipts.stretch(partition, filter, after, STEP);
    List<LostClaim> found = new ArrayList<>();
    for (Receipt receipt : page.items()) {
      String id = receipt.text("action_id");
      boolean called =
          receipt.outcome() == ReceiptOutcome.APPLIED
              || receipt.outcome() == ReceiptOutcome.UNKNOWN;
      if (id != null && called) {
        planned
            .actions()
            .find(partition, new ActionId(id))
            .flatMap(action -> recorded(action, apply))
            .ifPresent(found::add);
      }
    }
    return new Page<>(found, page.next());
  }

  private Optional<LostClaim> recorded(Action action, boolean apply) {
    Action.Disposal disposal = action.disposal();
    boolean unknown = action.unresolved() && disposal != null && disposal.holder() == null;
    if (disposal == null || !(action.applied() || unknown)) {
      return Optional.empty();
    }
    State state = action.applied() ? State.APPLIED : State.UNKNOWN;
    boolean known =
        claims
            .find(action)
            .filter(claim -> claim.state() == State.APPLIED || claim.state() == state)
            .isPresent();
    if (known) {
      return Optional.empty();
    }
    Condition lost =
        or(
            absent(),
            and(
                not(equal("state", State.APPLIED.name())),
                not(equal("state", State.UNKNOWN.name()))),
            state == State.APPLIED ? equal("state", State.UNKNOWN.name()) : absent());
    if (apply) {
      Execution execution = new Execution(action, planned.planOf(action));
      store.write(Write.put(claim(execution, state, Json.write(disposal.reservations())), lost));
    }
    return Optional.of(
        new LostClaim(
            state == State.APPLIED ? Kind.APPLIED : Kind.UNKNOWN,
            action.partition(),
            action.terms().planId(),
            action.id()));
  }

  /**
   * Returns a claim that is dated as if the call was made when its plan was claimed. That is the
   * earliest possible time, since no later one is known.
   */
  private Item claim(Execution execution, State state, String reservations) {
    Action action = execution.action();
    return EffectClaims.item(
        action,
        state,
        LOST,
        execution.mandate().begunAt(),
        clock.instant(),
        /* settle= */ null,
        reservations);
  }
}
