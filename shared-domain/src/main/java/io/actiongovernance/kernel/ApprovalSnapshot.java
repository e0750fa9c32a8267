package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.approval.ApprovalEvaluation;
import io.actiongovernance.approval.Ballot;
import io.actiongovernance.approval.Vote;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.plan.ExecutionPolicy.ExecutionEvaluation;
import io.actiongovernance.plan.Plan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot by which one attempt to approve an open plan is decided. Immutable.
 *
 * @param all every action of the plan
 * @param chosen the actions that the approval is for
 * @param basis the state that a claim of the plan depends on
 * @param voting the person's vote and the votes so far; null if a key approves
 * @param id the identifier of the approval that this may become
 */
record ApprovalSnapshot(
    Caller caller,
    ApprovePlan.Request request,
    Plan plan,
    List<Action> all,
    List<Action> chosen,
    ClaimPlan.Basis basis,
    ApprovalEvaluation evaluation,
    @Nullable Voting voting,
    ApprovalId id,
    Instant at) {
  /**
   * Vote of a person and the votes given so far.
   *
   * @param person as stored now
   * @param given all votes on the plan, oldest first
   * @param voters the people behind the votes for the same actions, and the voter
   */
  record Voting(Person person, Ballot ballot, List<Vote> given, Map<PersonId, Person> voters) {
    /**
     * Returns the votes together with another, which replaces an earlier vote of the same person.
     */
    List<Vote> with(Vote another) {
      List<Vote> votes = new ArrayList<>(given);
      votes.removeIf(vote -> vote.person().equals(another.person()));
      votes.add(another);
      return votes;
    }
  }

  Voting voter() {
    return Objects.requireNonNull(voting);
  }

  /** Returns the halt that covers one of the chosen actions, if any. */
  Optional<HaltRegister.Stop> stop() {
    return ClaimAttempt.stop(basis.tenantState().halts(), plan, chosen);
  }

  /** Returns why a claim of the chosen actions is refused at this time, if it is. */
  Optional<Refusal> outsideWindow() {
    for (Action action : chosen) {
      ExecutionEvaluation evaluation = ExecutionPolicy.evaluate(action, basis.operator(), true, at);
      if (evaluation.isOutsideWindow()) {
        return Optional.of(new Refusal.OutsideWindow(action.id(), evaluation.window()));
      }
    }
    return Optional.empty();
  }

  static List<Vote> forSame(List<Vote> votes, Set<ActionId> selected) {
    return votes.stream().filter(vote -> new HashSet<>(vote.selected()).equals(selected)).toList();
  }
}
