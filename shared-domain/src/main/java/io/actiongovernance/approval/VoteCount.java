package io.actiongovernance.approval;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.people.Person;
import io.actiongovernance.policy.ApprovalPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Count of the votes for one selection (contract for people, section 3). Immutable.
 *
 * @param satisfied whether these votes permit a claim of the plan
 * @param counted the votes that the claim counts, oldest first, with their voters
 * @param uncovered the actions that have been held only since the proposal, by a policy that the
 *     votes do not meet
 * @param actions what is given and missing for each action with a policy, in the order of the plan
 */
public record VoteCount(
    boolean satisfied, List<Counted> counted, Set<ActionId> uncovered, List<OfAction> actions) {
  public VoteCount {
    counted = List.copyOf(counted);
    uncovered = Set.copyOf(uncovered);
    actions = List.copyOf(actions);
  }

  /** A vote that counts, with the person who gave it, as read. */
  public record Counted(Vote vote, Person person) {}

  public record OfAction(ActionId action, List<OfPolicy> policies) {
    public OfAction {
      policies = List.copyOf(policies);
    }
  }

  /**
   * Progress of one policy.
   *
   * @param given the vote that fills each of its places; empty for a place that is not filled
   */
  public record OfPolicy(ApprovalPolicy policy, List<Optional<Vote>> given) {
    public OfPolicy {
      given = List.copyOf(given);
    }

    public int missing() {
      return (int) given.stream().filter(Optional::isEmpty).count();
    }
  }
}
