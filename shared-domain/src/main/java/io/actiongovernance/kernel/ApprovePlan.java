package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.action.Action;
import io.actiongovernance.approval.ApprovalEvaluation;
import io.actiongovernance.approval.ApprovalEvaluations;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.RunApproved.Approved;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the executor to run a plan in proposed. Approval is a request to run, never a bypass: every
 * action is evaluated anew, and a BLOCK stays blocked (specification, Plans). A key approves by
 * itself; a person votes (contract for people, section 3). Thread-safe.
 */
public final class ApprovePlan {
  private static final int TRIES = 8;

  private final PlannedActions planned;
  private final ApprovalEvaluations cases;
  private final CastVote castVote;
  private final RunApproved runApproved;
  private final Ids ids;
  private final InstantSource clock;

  public ApprovePlan(
      PlannedActions planned,
      ApprovalEvaluations cases,
      CastVote castVote,
      RunApproved runApproved,
      Ids ids,
      InstantSource clock) {
    this.planned = planned;
    this.cases = cases;
    this.castVote = castVote;
    this.runApproved = runApproved;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * An approval.
   *
   * @param key the same for the same request sent again, which then finds its own claim
   * @param actionIds only these are to run, null for the whole plan, or for what was signed
   * @param approver who approves, as the request says; null if it does not, which is its key then
   * @param signed what a person's passkey signed; null where none did
   * @param patience how long to wait for the outcome
   * @param trace where the approver's own trace stands, or null
   */
  public record Request(
      PlanId planId,
      String key,
      @Nullable List<ActionId> actionIds,
      @Nullable String approver,
      @Nullable String note,
      @Nullable Signed signed,
      Duration patience,
      @Nullable TraceParent trace) {}

  /** A challenge, and what a passkey made of it. */
  public record Signed(String challengeId, Assertion assertion) {}

  /** What an approval came to. */
  public sealed interface Answer {
    /** The plan was claimed by it, and is executed. */
    record Executed(Approved approved) implements Answer {}

    /** It is a vote, and more are asked for. */
    record Voted(PlanApprovals.Standing standing) implements Answer {}
  }

  /**
   * Approves, and waits for the outcome if the plan is claimed by it. Refused too when the policy
   * refused every selected action, though the plan is executed then.
   */
  public Outcome<Answer> approve(Caller caller, Request request) {
    Instant deadline = clock.instant().plus(request.patience());
    return caller.person().isPresent()
        ? castVote.cast(caller, request, deadline)
        : approveByKey(caller, request, deadline).<Answer>map(Answer.Executed::new);
  }

  private Outcome<Approved> approveByKey(Caller caller, Request request, Instant deadline) {
    if (request.signed() != null) {
      return Outcome.refused(
          new Refusal.Invalid("challenge_id", "Only a person signs what they approve."));
    }
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Optional<Plan> found =
          planned
              .plans()
              .find(caller.partition(), request.planId())
              .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()));
      if (found.isEmpty()) {
        return Outcome.refused(new Refusal.NotFound("plan"));
      }
      Plan plan = found.get();
      List<ActionId> chosen =
          request.actionIds() == null ? plan.terms().actionIds() : request.actionIds();
      Optional<Refusal> stranger = plan.stranger(chosen);
      if (stranger.isPresent()) {
        return Outcome.refused(stranger.get());
      }
      Optional<Outcome<Approved>> done =
          approveByKey(caller, request, plan, new HashSet<>(chosen), deadline);
      if (done.isPresent()) {
        return done.get();
      }
    }
    throw new StoreUnavailable("The approval was overtaken " + TRIES + " times.", null);
  }

  private Optional<Outcome<Approved>> approveByKey(
      Caller caller, Request request, Plan plan, Set<ActionId> chosen, Instant deadline) {
    Optional<Refusal> obstacle =
        Eligibility.obstacle(caller.principal(), plan.terms().proposedBy());
    if (obstacle.isPresent()) {
      return obstacle.map(Outcome::refused);
    }
    List<Action> all = planned.allOf(plan);
    if (!plan.open(clock.instant())) {
      return Optional.of(runApproved.ofSettled(plan, all, request.key(), deadline));
    }
    ClaimPlan.Basis basis = runApproved.basis(plan);
    ApprovalEvaluation of =
        cases.open(plan, chosenOf(all, chosen), basis.operator(), clock.instant());
    Optional<Refusal> bar = of.hasPolicies() ? of.obstacle(caller.principal()) : Optional.empty();
    if (bar.isPresent()) {
      return bar.map(Outcome::refused);
    }
    ClaimAttempt.Guard guard =
        of.hasPolicies()
            ? new ClaimAttempt.Guard(List.of(basis.unchanged()), of.uncovered(caller.principal()))
            : null;
    return runApproved.run(
        plan, all, chosen, request.key(), approval(caller, request), basis, guard, deadline);
  }

  /** Those of these actions that were chosen. */
  static List<Action> chosenOf(List<Action> all, Set<ActionId> chosen) {
    return all.stream().filter(action -> chosen.contains(action.id())).toList();
  }

  private Plan.Approval approval(Caller caller, Request request) {
    String approver = request.approver();
    return new Plan.Approval(
        ApprovalId.next(ids),
        approver == null ? caller.name() : approver,
        request.note(),
        List.of(Decider.by(caller.principal(), approver, clock.instant())),
        caller.requestId(),
        request.trace());
  }
}
