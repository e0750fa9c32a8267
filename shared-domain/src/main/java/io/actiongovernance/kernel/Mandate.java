package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.plan.Plan;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Permission under which an action is executed. Immutable. */
sealed interface Mandate {
  /** Returns the permission of an action, with its plan as stored. */
  static Mandate of(Action action, Optional<Plan> plan) {
    if (action.terms().undoesAtOnce()) {
      return new AtOnce(action, Objects.requireNonNull(action.terms().undoing()));
    }
    return plan.filter(one -> one.claim() != null)
        .<Mandate>map(one -> new OfPlan(action, one, Objects.requireNonNull(one.claim())))
        .orElseGet(() -> new Lost(action));
  }

  Action action();

  /** Returns the executing plan; null for an undo that needed no approval. */
  default @Nullable Plan plan() {
    return null;
  }

  /** Returns whether somebody approved or requested exactly this action. */
  default boolean approved() {
    return true;
  }

  /** Returns the digest with which the action was approved or claimed. */
  default @Nullable String permittedDigest() {
    return action().terms().digest();
  }

  /**
   * Returns whether the policy blocked the action when its plan was claimed. Such an action holds
   * no lock.
   */
  default boolean refusedAtClaim() {
    return false;
  }

  /** Returns the holder of the entity's lock under which the action runs. */
  default String lockHolder() {
    return action().id().value();
  }

  /**
   * Returns whether a lock is taken for this action alone: for an undo, or for the only action of
   * its plan that runs. The disposal then releases the lock.
   */
  default boolean hasLockOfItsOwn() {
    return part() != null;
  }

  /**
   * Returns the part of the allowance that its claim reserved; null if it was refused at the claim.
   */
  default Allowance.@Nullable Part part() {
    return null;
  }

  /** Returns its position among the actions that its claim reserved for. */
  default int place() {
    return 0;
  }

  /**
   * Returns when its plan was claimed. For an undo that needed no approval, returns when it was
   * requested.
   */
  default Instant begunAt() {
    return action().id().madeAt();
  }

  default @Nullable RequestId requestId() {
    return null;
  }

  default @Nullable String approver() {
    return null;
  }

  /**
   * Returns who proposed it; for an undo that needed no approval, who proposed the original.
   *
   * @throws IllegalStateException if its plan is lost
   */
  default ProposedBy proposedBy() {
    throw new IllegalStateException("The plan of " + action().id() + " is lost.");
  }

  /**
   * Returns who approved it, or who requested an undo that needed no approval; empty if nobody did.
   */
  default List<Decider> decidedBy() {
    return List.of();
  }

  default Plan.@Nullable Approval approval() {
    return null;
  }

  /** Returns the version of the guardrails that evaluated it when it was proposed. */
  default long guardrailsVersion() {
    return 0;
  }

  /** Permission by the claim of its plan. */
  record OfPlan(Action action, Plan plan, Plan.Claim claim) implements Mandate {
    @Override
    public boolean approved() {
      return plan.approval() != null && !claim.uncovered().contains(action.id());
    }

    @Override
    public @Nullable String permittedDigest() {
      return claim.digests().get(action.id());
    }

    @Override
    public boolean refusedAtClaim() {
      return claim.refused().contains(action.id());
    }

    @Override
    public String lockHolder() {
      return plan.id().value();
    }

    @Override
    public boolean hasLockOfItsOwn() {
      return plan.selected().size() == 1 && !refusedAtClaim();
    }

    @Override
    public Allowance.@Nullable Part part() {
      return refusedAtClaim() ? null : claim.part();
    }

    @Override
    public int place() {
      return plan.selected().stream()
          .filter(id -> !claim.refused().contains(id))
          .toList()
          .indexOf(action.id());
    }

    @Override
    public Instant begunAt() {
      return claim.claimedAt();
    }

    @Override
    public @Nullable RequestId requestId() {
      Plan.Approval approval = plan.approval();
      return approval == null ? plan.terms().requestId() : approval.requestId();
    }

    @Override
    public @Nullable String approver() {
      Plan.Approval approval = plan.approval();
      return approval == null ? null : approval.approver();
    }

    @Override
    public ProposedBy proposedBy() {
      return plan.terms().proposedBy();
    }

    @Override
    public List<Decider> decidedBy() {
      return plan.decidedBy();
    }

    @Override
    public Plan.@Nullable Approval approval() {
      return plan.approval();
    }

    @Override
    public long guardrailsVersion() {
      return plan.terms().guardrailsVersion();
    }
  }

  /** Permission of an undo that needed no approval: its requester asked for exactly this action. */
  record AtOnce(Action action, Action.Undoing undoing) implements Mandate {
    @Override
    public Allowance.@Nullable Part part() {
      return undoing.part();
    }

    @Override
    public @Nullable RequestId requestId() {
      return undoing.requestId();
    }

    @Override
    public @Nullable String approver() {
      return undoing.undoneBy();
    }

    @Override
    public ProposedBy proposedBy() {
      return undoing.proposedBy();
    }

    @Override
    public List<Decider> decidedBy() {
      return List.of(undoing.decider());
    }

    @Override
    public long guardrailsVersion() {
      return undoing.guardrailsVersion();
    }
  }

  /** No known permission, because the plan's row is lost with its table. Nothing is executed. */
  record Lost(Action action) implements Mandate {}
}
