package io.actiongovernance.plan;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.has;
import static io.actiongovernance.store.Condition.lacks;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Writes that store a plan and advance it. Stateless. */
public final class PlanWrites {
  private PlanWrites() {}

  /**
   * Returns the write that inserts a plan, proposed or executing, to be looked at again at {@code
   * due}.
   *
   * @param needsApproval the actions that a human must approve
   */
  static Write insert(Plan plan, Set<String> needsApproval, Instant due) {
    Plan.Terms terms = plan.terms();
    Partition partition = plan.partition();
    Item.Builder item =
        DueIndex.STEPS
            .enter(Item.at(Plans.key(partition, plan.id())), partition, plan.id().value(), due)
            .with("kind", "plan")
            .with("id", plan.id().value())
            .with("partition", partition.key())
            .packed("doc", Json.write(terms))
            .with("state", plan.state().name())
            .with("status", PlanStatus.PROPOSED.wire())
            .with("needs_approval", needsApproval)
            .with("expires_at", terms.expiresAt().toEpochMilli())
            .with("ordered", plan.id().value())
            .with("by_operator", Plans.byOperator(partition, terms.operatorId().value()));
    if (plan.claim() != null) {
      item.packed("claim", Json.write(plan.claim()));
    }
    if (!terms.approvals().isEmpty()) {
      item.with(Plans.POLICIES, terms.approvals().size());
    }
    WaitingOn waitingOn = plan.waitingOn();
    if (waitingOn != null) {
      item.with("waiting_on", waitingOn.wire());
    }
    if (plan.state() == Plan.State.PROPOSED) {
      item.with("by_status", shard(plan, Plans.byStatus(partition, PlanStatus.PROPOSED)))
          .with("by_expiry", shard(plan, Plans.byExpiry(partition)))
          .with("expiry", Timestamps.format(terms.expiresAt()) + "#" + plan.id());
      if (terms.held()) {
        item.with(Plans.HELD, Plans.byHeld(partition, terms.operatorId()));
      }
      if (waitingOn != null) {
        item.with("by_list", shard(plan, Plans.byWaiting(partition, waitingOn)));
      }
    }
    return Write.insert(item.build());
  }

  private static String shard(Plan plan, String part) {
    return Spread.key(part, plan.id().shard());
  }

  /**
   * Returns the write that claims an open plan; from then on it executes.
   *
   * @param counted whether the claim depends on the votes that were counted when the plan was read
   */
  public static Write claim(Plan plan, Plan.Claim claim, Instant due, boolean counted) {
    return Write.update(
        key(plan),
        counted ? undecided(plan) : in(Plan.State.PROPOSED),
        List.of(
            Change.set("state", Plan.State.EXECUTING.name()),
            Change.set("waiting_on", WaitingOn.EXECUTION.wire()),
            due(plan, due),
            Change.remove("by_list"),
            Change.remove(Plans.HELD),
            Change.remove("by_expiry"),
            Change.remove("expiry"),
            Change.remove("needs_approval"),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.pack("claim", Json.write(claim))));
  }

  /**
   * Returns the write that counts a vote, or its withdrawal, on an open plan. It is refused if the
   * plan has been claimed or another vote has been counted since the plan was read.
   */
  public static Write vote(Plan plan) {
    return Write.update(key(plan), undecided(plan), Change.add(Plans.VOTES, 1));
  }

  /**
   * Returns the condition that the plan is proposed and nobody has voted on it since it was read.
   */
  private static Condition undecided(Plan plan) {
    return and(
        in(Plan.State.PROPOSED),
        plan.votes() == 0 ? lacks(Plans.VOTES) : equal(Plans.VOTES, plan.votes()));
  }

  /** Returns the write that records what an open plan that needs no approval waits for. */
  public static Write await(Plan plan, WaitingOn waitingOn, Instant due) {
    return Write.update(
        key(plan),
        in(Plan.State.PROPOSED),
        List.of(
            Change.set("waiting_on", waitingOn.wire()),
            Change.set("by_list", shard(plan, Plans.byWaiting(plan.partition(), waitingOn))),
            due(plan, due)));
  }

  /**
   * Returns the write that marks an executing plan as executed once all of its actions are settled.
   *
   * @param selected outcomes of the actions that its claim selects
   */
  public static Write finish(Plan plan, PlanOutcomes selected, Instant disposedAt) {
    int skipped = Objects.requireNonNull(plan.claim()).skipped().size();
    List<Change> changes =
        concat(
            disposed(plan, Plan.State.EXECUTED, PlanStatus.EXECUTED, disposedAt),
            DueIndex.leave().toArray(Change[]::new));
    changes.add(Change.set(Plans.OUTCOMES, Json.write(selected.skipping(skipped))));
    return Write.update(key(plan), in(Plan.State.EXECUTING), changes);
  }

  /** Returns the write that vetoes an open plan, whose receipts must still be written. */
  static Write veto(Plan plan, Plan.Ending ending, Instant now) {
    return Write.update(
        key(plan),
        in(Plan.State.PROPOSED),
        concat(
            disposed(plan, Plan.State.VETOED, PlanStatus.VETOED, now),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.pack("ending", Json.write(ending)),
            due(plan, now)));
  }

  /**
   * Returns the write that expires a plan past its expiry or of an archived operator. Its receipts
   * must still be written.
   */
  static Write expire(Plan plan, Plan.Ending ending, Instant disposedAt, Instant now) {
    return Write.update(
        key(plan),
        in(Plan.State.PROPOSED),
        concat(
            disposed(plan, Plan.State.EXPIRED, PlanStatus.EXPIRED, disposedAt),
            Change.set("frozen_ms", plan.freeze().frozen().toMillis()),
            Change.pack("ending", Json.write(ending)),
            due(plan, now)));
  }

  /**
   * Returns the write that removes a vetoed or expired plan from the sweeper's index once all
   * receipts are written.
   */
  static Write settle(Plan plan) {
    return Write.update(key(plan), has("ending"), DueIndex.leave());
  }

  /**
   * Returns the write that postpones the sweeper's next look at the plan. An executing plan that
   * takes this long is then also listed as proposed and by its reason for waiting; most plans are
   * executed before.
   */
  public static Write postpone(Plan plan, Instant due) {
    Change later = due(plan, due);
    return plan.state() == Plan.State.EXECUTING
        ? Write.update(
            key(plan),
            and(DueIndex.somewhere(), in(Plan.State.EXECUTING)),
            later,
            Change.set(
                "by_status", shard(plan, Plans.byStatus(plan.partition(), PlanStatus.PROPOSED))),
            Change.set(
                "by_list", shard(plan, Plans.byWaiting(plan.partition(), WaitingOn.EXECUTION))))
        : Write.update(key(plan), DueIndex.somewhere(), later);
  }

  private static Change due(Plan plan, Instant due) {
    return DueIndex.move(plan.partition(), plan.id().value(), due);
  }

  private static Condition in(Plan.State state) {
    return equal("state", state.name());
  }

  private static List<Change> disposed(
      Plan plan, Plan.State state, PlanStatus status, Instant disposedAt) {
    return List.of(
        Change.set("state", state.name()),
        Change.set("status", status.wire()),
        Change.set("by_status", shard(plan, Plans.byStatus(plan.partition(), status))),
        Change.set("disposed_at", Timestamps.format(disposedAt)),
        Change.remove("waiting_on"),
        Change.remove("by_list"),
        Change.remove(Plans.HELD),
        Change.remove("by_expiry"),
        Change.remove("expiry"));
  }

  private static List<Change> concat(List<Change> changes, Change... more) {
    List<Change> all = new ArrayList<>(changes);
    all.addAll(List.of(more));
    return all;
  }

  private static Key key(Plan plan) {
    return Plans.key(plan.partition(), plan.id());
  }
}
