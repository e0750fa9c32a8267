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
 * Separation of duties for one plan (contract for people, section 2): who is behind its proposal,
 * and who recently changed the configuration that its approval rests on. Immutable.
 *
 * @param proposers everybody who proposed, amended or triggered it, and everybody behind them
 * @param edits the changes, as far back as any policy requires, each with everybody behind it
 * @param editorTime how long a change counts if a policy sets no time
 */
record Separation(Set<Principal> proposers, List<MadeBy> edits, Duration editorTime, Instant now) {
  Separation {
    proposers = Set.copyOf(proposers);
    edits = List.copyOf(edits);
  }

  /** Change of the configuration that an approval rests on, with everybody behind the change. */
  record MadeBy(Set<Principal> principals, Instant at) {}

  /** Returns whether a principal is behind the proposal, if the policy excludes such principals. */
  boolean proposed(Principal who, ApprovalPolicy policy) {
    return policy.notProposer() && isOf(proposers, who);
  }

  /** Returns whether a principal made a change that counts for the policy. */
  boolean edited(Principal who, ApprovalPolicy policy) {
    return counting(policy).stream().anyMatch(edit -> isOf(edit.principals(), who));
  }

  /**
   * Returns whether a person was first seen after a change that counts for the policy. The editor
   * may have created that person.
   */
  boolean isNew(Person person, ApprovalPolicy policy) {
    return first(policy).filter(at -> !person.firstSeenAt().isBefore(at)).isPresent();
  }

  /**
   * Returns the groups that count for the policy: those that the person joined before any change
   * that counts.
   */
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
