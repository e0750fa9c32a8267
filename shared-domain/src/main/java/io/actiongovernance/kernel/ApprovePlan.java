package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.OwnName;
import io.actiongovernance.action.Action;
import io.actiongovernance.approval.Ballot;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.approval.Vote;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.RunApproved.Approved;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanWrites;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Asks the executor to run a proposed plan. Approval is a request to run, never a bypass: every
 * action is evaluated again, and a BLOCK stays blocked (specification, Plans). A key's approval is
 * enough by itself; a person votes (contract for people, section 3). Thread-safe.
 */
public final class ApprovePlan {
  private final PlannedActions planned;
  private final LoadApproval loadApproval;
  private final ClaimPlan claimPlan;
  private final RunApproved runApproved;
  private final Transactions transactions;
  private final InstantSource clock;

  public ApprovePlan(
      PlannedActions planned,
      LoadApproval loadApproval,
      ClaimPlan claimPlan,
      RunApproved runApproved,
      Transactions transactions,
      InstantSource clock) {
    this.planned = planned;
    this.loadApproval = loadApproval;
    this.claimPlan = claimPlan;
    this.runApproved = runApproved;
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * Request to approve a plan.
   *
   * @param key equal for the same request sent again, which then finds its own claim
   * @param actionIds the actions to run; null for the whole plan, or for the actions that were
   *     signed
   * @param approver the approver that the request names; null for the name of its key
   * @param signed the approval that a person's passkey signed; null if nothing was signed
   * @param patience how long to wait for the outcome
   * @param trace position in the approver's own trace, or null
   */
  public record Request(
      PlanId planId,
      String key,
      @Nullable List<ActionId> actionIds,
      @Nullable String approver,
      @Nullable String note,
      @Nullable Signed signed,
      Duration patience,
      @Nullable TraceParent trace) {
    /** Returns the actions that the request names, or all actions of the plan if it names none. */
    List<ActionId> chosen(Plan plan) {
      return actionIds == null ? plan.terms().actionIds() : actionIds;
    }
  }

  public record Signed(String challengeId, Assertion assertion) {}

  public sealed interface Answer {
    /** The approval claimed the plan, and the plan is executed. */
    record Executed(Approved approved) implements Answer {}

    /** The approval is recorded as a vote; more votes are needed. */
    record Voted(PlanApprovals.Progress progress) implements Answer {}
  }

  /** State written by an approval, before the outcome is awaited. */
  private sealed interface Written {
    /** This request claimed the plan, or the plan was claimed or ended before. */
    record Claimed(ClaimPlan.Result result, List<Action> all) implements Written {}

    /** A vote is written, and more are needed. */
    record Voted(PlanApprovals.Progress progress) implements Written {}
  }

  /**
   * Approves, and waits for the outcome if this claims the plan. If the policy refused every
   * selected action, the result is a refusal, although the plan is then executed.
   *
   * @throws StoreUnavailable if other writes overtake every attempt
   */
  public Outcome<Answer> approve(Caller caller, Request request) {
    if (caller.person().isEmpty() && request.signed() != null) {
      return Outcome.refused(
          new Refusal.Invalid(
              "challenge_id",
              "Only a signed-in person can sign an approval. Leave challenge_id and assertion out."));
    }
    OwnName.require(caller, "approver", request.approver());
    Instant deadline = clock.instant().plus(request.patience());
    Outcome<Written> written =
        transactions.retry(
            clock,
            KernelTimes.OVERTAKEN,
            "The approval was overtaken",
            () -> attempt(caller, request));
    return switch (written) {
      case Refused<Written>(Refusal refusal) -> Outcome.refused(refusal);
      case Done<Written>(Written.Voted(PlanApprovals.Progress progress)) ->
          Outcome.done(new Answer.Voted(progress));
      case Done<Written>(Written.Claimed(ClaimPlan.Result result, List<Action> all)) ->
          runApproved.run(result, all, deadline).map(Answer.Executed::new);
    };
  }

  /**
   * Loads, decides and writes. Empty if another write came first; the caller must then try again.
   */
  private Optional<Outcome<Written>> attempt(Caller caller, Request request) {
    Optional<Plan> found =
        planned
            .plans()
            .find(caller.partition(), request.planId())
            .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()));
    if (found.isEmpty()) {
      return refused(new Refusal.NotFound("plan"));
    }
    Plan plan = found.get();
    Optional<Refusal> obstacle =
        plan.stranger(request.chosen(plan))
            .or(() -> Eligibility.obstacle(caller.principal(), plan.terms().proposedBy()));
    if (obstacle.isPresent()) {
      return obstacle.flatMap(ApprovePlan::refused);
    }
    List<Action> all = planned.allOf(plan);
    if (!plan.open(clock.instant())) {
      return done(new Written.Claimed(ClaimPlan.settled(plan, request.key()), all));
    }
    return switch (loadApproval.load(caller, request, plan, all)) {
      case Refused<ApprovalSnapshot>(Refusal refusal) -> refused(refusal);
      case Done<ApprovalSnapshot>(ApprovalSnapshot snapshot) ->
          write(snapshot, ApprovalDecision.of(snapshot));
    };
  }

  private Optional<Outcome<Written>> write(ApprovalSnapshot snapshot, ApprovalDecision decision) {
    return switch (decision) {
      case ApprovalDecision.Refused(Refusal refusal) -> refused(refusal);
      case ApprovalDecision.VotedBefore(PlanApprovals.Progress progress) ->
          done(new Written.Voted(progress));
      case ApprovalDecision.OneVote(Vote vote, PlanApprovals.Progress progress) -> {
        List<Write> writes = new ArrayList<>();
        writes.add(PlanWrites.vote(snapshot.plan()));
        writes.addAll(writes(snapshot, vote, List.of(snapshot.voter().person())));
        yield transactions.run(writes).done()
            ? done(new Written.Voted(progress))
            : Optional.empty();
      }
      case ApprovalDecision.Claim claim ->
          claimPlan
              .claim(
                  snapshot.plan(),
                  snapshot.chosen(),
                  snapshot.request().key(),
                  claim.approval(),
                  snapshot.basis(),
                  claim.guarded() ? guard(snapshot, claim) : null)
              .flatMap(result -> done(new Written.Claimed(result, snapshot.all())));
    };
  }

  /** Returns the policies that the approval depends on, and the deciding vote with its people. */
  private ClaimAttempt.Guard guard(ApprovalSnapshot snapshot, ApprovalDecision.Claim claim) {
    List<Write> writes = new ArrayList<>();
    writes.add(snapshot.basis().unchanged());
    ApprovalDecision.DecidingVote deciding = claim.deciding();
    if (deciding != null) {
      writes.addAll(writes(snapshot, deciding.vote(), deciding.people()));
    }
    return new ClaimAttempt.Guard(writes, claim.uncovered());
  }

  /**
   * Returns the writes that record a vote.
   *
   * @param people the people who must be unchanged since they were read, the voter first
   */
  private List<Write> writes(ApprovalSnapshot snapshot, Vote vote, List<Person> people) {
    Ballot ballot = snapshot.voter().ballot();
    List<Write> writes =
        new ArrayList<>(
            loadApproval.ballots().writes(snapshot.caller(), snapshot.plan(), ballot, vote));
    writes.addAll(People.unchanged(people, ballot.passkey(), vote.at()));
    return writes;
  }

  private static Optional<Outcome<Written>> done(Written written) {
    return Optional.of(Outcome.done(written));
  }

  private static Optional<Outcome<Written>> refused(Refusal refusal) {
    return Optional.of(Outcome.refused(refusal));
  }
}
