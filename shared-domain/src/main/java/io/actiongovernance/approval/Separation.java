package io.actiongovernance.approval;

import io.actiongovernance.access.Principal;
import io.actiongovernance.people.Person;
import io.actiongovernance.policy.ApprovalPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The separation of duties for one plan (contract for people, section 2): who proposed it and is
 * behind that, and who changed lately what its approval rests on. Immutable.
 *
 * @param proposers everybody who proposed, amended or triggered it, and is behind them
 * @param edits the changes, as far back as any policy asks, each with everybody behind it
 * @param editorTime for how long they count where a policy says none
 */
record Separation(Set<Principal> proposers, List<MadeBy> edits, Duration editorTime, Instant now) {
  Separation {
    proposers = Set.copyOf(proposers);
    edits = List.copyOf(edits);
  }

  /** A change of what an approval rests on, and everybody behind it. */
  record MadeBy(Set<Principal> principals, Instant at) {}

  /** Whether somebody is behind the proposal, where the policy asks that they be not. */
  boolean proposed(Principal who, ApprovalPolicy policy) {
    return policy.notProposer() && isOf(proposers, who);
  }

  /** Whether somebody made a change that counts for the policy. */
  boolean edited(Principal who, ApprovalPolicy policy) {
    return counting(policy).stream().anyMatch(edit -> isOf(edit.principals(), who));
  }

  /** Whether a person was first seen since such a change: who makes it may have made them. */
  boolean isNew(Person person, ApprovalPolicy policy) {
    return first(policy).filter(at -> !person.firstSeenAt().isBefore(at)).isPresent();
  }

  /** The groups that count for the policy: those that the person was in before any such change. */
  List<String> groups(Person person, List<String> groups, ApprovalPolicy policy) {
    Optional<Instant> first = first(policy);
    return groups.stream()
        .filter(
            group ->
                first.isEmpty()
                    || person.inGroupSince(group).filter(first.get()::isAfter).isPresent())
        .toList();
  }

  private Optional<Instant> first(ApprovalPolicy policy) {
    return counting(policy).stream().map(MadeBy::at).min(Instant::compareTo);
  }

  private List<MadeBy> counting(ApprovalPolicy policy) {
    Instant since = now.minus(policy.notPolicyEditor(editorTime));
    return edits.stream().filter(edit -> edit.at().isAfter(since)).toList();
  }

  private static boolean isOf(Set<Principal> principals, Principal who) {
    return principals.stream().anyMatch(one -> one.is(who));
  }
}
