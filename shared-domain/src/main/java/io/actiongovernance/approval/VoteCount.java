package io.actiongovernance.approval;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.people.Person;
import io.actiongovernance.policy.ApprovalPolicy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the votes for one selection come to (contract for people, section 3). Immutable.
 *
 * @param satisfied whether the plan may be claimed by them
 * @param counted the votes that it is claimed by, oldest first, and who gave them
 * @param uncovered the actions that are held only since the proposal, by a policy that the votes do
 *     not meet
 * @param actions what is given and missing for each action that a policy is of, in the order of the
 *     plan
 */
public record VoteCount(
    boolean satisfied, List<Counted> counted, Set<ActionId> uncovered, List<OfAction> actions) {
  public VoteCount {
    counted = List.copyOf(counted);
    uncovered = Set.copyOf(uncovered);
    actions = List.copyOf(actions);
  }

  /** A vote that counts, and its person as they were read. */
  public record Counted(Vote vote, Person person) {}

  /** One action's policies. */
  public record OfAction(ActionId action, List<OfPolicy> policies) {
    public OfAction {
      policies = List.copyOf(policies);
    }
  }

  /**
   * One policy.
   *
   * @param given who meets each of its places; empty for one that is missing
   */
  public record OfPolicy(ApprovalPolicy policy, List<Optional<Vote>> given) {
    public OfPolicy {
      given = List.copyOf(given);
    }

    /** How many people it still asks for. */
    public int missing() {
      return (int) given.stream().filter(Optional::isEmpty).count();
    }
  }
}
