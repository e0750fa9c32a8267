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
import io.actiongovernance.people.Person;
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
 * All that an approval of an open plan is decided by, read at one attempt. Immutable.
 *
 * @param all actions of the plan
 * @param chosen those that the approval is for
 * @param basis what a claim of the plan depends on
 * @param evaluation of the chosen actions
 * @param voting what a person votes with; null where a key approves
 * @param id of the approval that it may become
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
   * What a person votes with.
   *
   * @param person as they are now
   * @param given all votes on the plan, oldest first
   * @param voters the people behind those for the same actions, and the person
   */
  record Voting(Person person, Ballot ballot, List<Vote> given, Map<PersonId, Person> voters) {
    /** The votes with another, which takes the place of its person's earlier one. */
    List<Vote> with(Vote another) {
      List<Vote> votes = new ArrayList<>(given);
      votes.removeIf(vote -> vote.person().equals(another.person()));
      votes.add(another);
      return votes;
    }
  }

  /** What a person votes with, where one does. */
  Voting voter() {
    return Objects.requireNonNull(voting);
  }

  /** The halt that covers one of the chosen actions, if one does. */
  Optional<HaltRegister.Stop> stop() {
    return ClaimAttempt.stop(basis.tenantState().halts(), plan, chosen);
  }

  /** Of these votes, those for the same actions. */
  static List<Vote> forSame(List<Vote> votes, Set<ActionId> selected) {
    return votes.stream().filter(vote -> new HashSet<>(vote.selected()).equals(selected)).toList();
  }
}
