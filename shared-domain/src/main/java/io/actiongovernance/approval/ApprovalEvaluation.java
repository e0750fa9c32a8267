package io.actiongovernance.approval;

import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Passkey;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.ApprovalPolicy.Method;
import io.actiongovernance.policy.Matching;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decision on an approval: the actions of a plan that are to be approved, what they require, and
 * who may approve them (contract for people, sections 2 and 3). Uses only state that was just read.
 * Immutable.
 */
public final class ApprovalEvaluation {
  private final Plan plan;
  private final List<ActionPolicies> actions;
  private final List<ApprovalPolicy> policies;

  /** Policies that must be met before anything is claimed. */
  private final List<ApprovalPolicy> needed;

  private final Separation separation;
  private final Duration issuerLife;
  private final Instant now;

  /**
   * Policies of an evaluation, each once.
   *
   * @param needed the policies that must be met before anything is claimed; actions held only by
   *     the others are refused separately
   */
  record Policies(List<ApprovalPolicy> all, List<ApprovalPolicy> needed) {
    Policies {
      all = List.copyOf(all);
      needed = List.copyOf(needed);
    }

    static Policies of(List<ActionPolicies> actions) {
      return new Policies(
          ActionPolicies.distinct(actions),
          ActionPolicies.distinct(actions.stream().filter(ActionPolicies::held).toList()));
    }
  }

  ApprovalEvaluation(
      Plan plan,
      List<ActionPolicies> actions,
      Policies policies,
      Separation separation,
      Duration issuerLife,
      Instant now) {
    this.plan = plan;
    this.actions = List.copyOf(actions);
    this.policies = policies.all();
    this.needed = policies.needed();
    this.separation = separation;
    this.issuerLife = issuerLife;
    this.now = now;
  }

  /**
   * Returns whether any policy must be met. If not, any principal with the right to approve may.
   */
  public boolean hasPolicies() {
    return !policies.isEmpty();
  }

  /** Returns whether the approval needs more people than one claim may count. */
  public boolean asksForTooMany() {
    return ActionPolicies.peopleOf(policies) > ApprovalPolicy.MOST_PEOPLE;
  }

  /** Returns how many people the approval needs; 1 without a policy. */
  int peopleNeeded() {
    return policies.isEmpty() ? 1 : ActionPolicies.peopleOf(policies);
  }

  /** Returns how many of these voters count for the policies. */
  int given(List<Vote> votes, Map<PersonId, Person> people) {
    List<VoteCount.Counted> voters = voters(votes, people);
    return (int)
        matchings(voters).values().stream()
            .flatMap(matching -> matching.people().stream())
            .distinct()
            .count();
  }

  /**
   * Checks whether a person could vote now by their strongest method.
   *
   * @return in one word, why they could not; empty if they could
   */
  Optional<String> whyNot(Person person) {
    Optional<Passkey> best =
        person.passkeys().stream().max(Comparator.comparing(key -> key.isSettled(now)));
    Method method = best.isPresent() ? Method.PASSKEY : Method.SESSION;
    return obstacle(person, method, best.orElse(null)).map(ApprovalEvaluation::word);
  }

  /** Returns in one word why a key could not approve; empty if it could. */
  Optional<String> whyNot(Principal key) {
    return obstacle(key).map(ApprovalEvaluation::word);
  }

  private static String word(Refusal refusal) {
    return refusal instanceof Refusal.NotEligible(String reason, String _)
        ? reason
        : Ineligibility.METHOD.reason();
  }

  /**
   * Returns why a person may not vote, if they could meet none of the requirements.
   *
   * @param method the method by which they would vote
   * @param passkey the passkey that signed; null if none did
   * @param settled whether their session may decide
   */
  public Optional<Refusal> obstacle(
      Person person, Method method, @Nullable Passkey passkey, boolean settled) {
    boolean signed = passkey != null && passkey.isSettled(now);
    return obstacle(person, method, passkey)
        .or(
            () ->
                settled || signed
                    ? Optional.empty()
                    : Optional.of(Ineligibility.SETTLING.refusal()));
  }

  private Optional<Refusal> obstacle(Person person, Method method, @Nullable Passkey passkey) {
    return Eligibility.obstacle(person.principal(), plan.terms().proposedBy())
        .or(() -> bar(person).map(Ineligibility::refusal))
        .or(
            () ->
                needed.isEmpty()
                    ? Optional.empty()
                    : nearest(person, method, passkey).map(Ineligibility::refusal));
  }

  /**
   * Returns the bar that is checked last among those of the policies; empty if at least one policy
   * has no bar.
   */
  private Optional<Ineligibility> nearest(Person person, Method method, @Nullable Passkey passkey) {
    List<Optional<Ineligibility>> bars =
        policies.stream().map(policy -> bar(person, method, passkey, policy)).toList();
    return bars.stream().anyMatch(Optional::isEmpty)
        ? Optional.empty()
        : bars.stream().flatMap(Optional::stream).max(Comparator.naturalOrder());
  }

  /**
   * Returns why a key may not approve, if so. A key approves alone, so it must meet every needed
   * policy.
   */
  public Optional<Refusal> obstacle(Principal key) {
    return Eligibility.obstacle(key, plan.terms().proposedBy())
        .or(
            () ->
                needed.stream()
                    .flatMap(policy -> bar(key, policy).stream())
                    .max(Comparator.naturalOrder())
                    .map(Ineligibility::refusal));
  }

  /**
   * Returns the actions that have been held only since the proposal, by a policy that the key does
   * not meet.
   */
  public Set<ActionId> uncovered(Principal key) {
    return actions.stream()
        .filter(one -> !one.held())
        .filter(one -> one.policies().stream().anyMatch(policy -> bar(key, policy).isPresent()))
        .map(one -> one.action().id())
        .collect(Collectors.toSet());
  }

  private Optional<Ineligibility> bar(Principal key, ApprovalPolicy policy) {
    if (policy.method() != Method.KEY) {
      return Optional.of(Ineligibility.METHOD);
    }
    if (separation.proposed(key, policy)) {
      return Optional.of(Ineligibility.PROPOSER);
    }
    return separation.edited(key, policy) ? Optional.of(Ineligibility.EDITOR) : Optional.empty();
  }

  /** Returns why a person may not approve under any policy, if so. */
  private Optional<Ineligibility> bar(Person person) {
    if (!person.isActive()) {
      return Optional.of(Ineligibility.SUSPENDED);
    }
    boolean permitted =
        person.scopesAt(now, issuerLife, plan.terms().workspaceId()).contains(Scope.PLANS_APPROVE);
    return permitted ? Optional.empty() : Optional.of(Ineligibility.GROUP);
  }

  private Optional<Ineligibility> bar(
      Person person, Method method, @Nullable Passkey passkey, ApprovalPolicy policy) {
    Principal principal = person.principal();
    if (policy.allOf().stream().noneMatch(one -> one.admits(groups(person)))) {
      return Optional.of(Ineligibility.GROUP);
    }
    if (separation.proposed(principal, policy)) {
      return Optional.of(Ineligibility.PROPOSER);
    }
    boolean fresh =
        policy.allOf().stream()
            .noneMatch(one -> one.admits(separation.groups(person, groups(person), policy)));
    if (fresh || separation.edited(principal, policy) || separation.isNew(person, policy)) {
      return Optional.of(Ineligibility.EDITOR);
    }
    if (!method.covers(policy.method())) {
      return Optional.of(Ineligibility.SIGNATURE);
    }
    boolean settling =
        policy.method() == Method.PASSKEY && (passkey == null || !passkey.isSettled(now));
    return settling ? Optional.of(Ineligibility.SETTLING) : Optional.empty();
  }

  private List<String> groups(Person person) {
    return person.groupsAt(now, issuerLife);
  }

  /** Counts votes, except those that are no longer valid. */
  public VoteCount tally(List<Vote> votes, Map<PersonId, Person> people) {
    List<VoteCount.Counted> voters = voters(votes, people);
    Map<ApprovalPolicy, Matching<VoteCount.Counted>> matchings = matchings(voters);
    Set<ActionId> uncovered = new HashSet<>();
    Set<VoteCount.Counted> counted = new HashSet<>();
    boolean satisfied = !voters.isEmpty();
    for (ActionPolicies one : actions) {
      boolean met = one.policies().stream().allMatch(policy -> complete(matchings, policy));
      if (met || one.held()) {
        one.policies().forEach(policy -> counted.addAll(of(matchings, policy).people()));
      }
      if (!met && one.held()) {
        satisfied = false;
      }
      if (!met && !one.held()) {
        uncovered.add(one.action().id());
      }
    }
    if (!voters.isEmpty() && counted.size() < ApprovalPolicy.MOST_PEOPLE) {
      // The last voter approves too, whether or not a policy needed their vote.
      counted.add(voters.getLast());
    }
    return new VoteCount(
        satisfied,
        voters.stream().filter(counted::contains).toList(),
        uncovered,
        ofActions(matchings));
  }

  private List<VoteCount.Counted> voters(List<Vote> votes, Map<PersonId, Person> people) {
    return votes.stream()
        .filter(vote -> people.containsKey(vote.person()))
        .map(vote -> new VoteCount.Counted(vote, Objects.requireNonNull(people.get(vote.person()))))
        .filter(voter -> mayVote(voter.person()))
        .filter(voter -> voter.person().hadItsRights(voter.vote().at()))
        .toList();
  }

  private Map<ApprovalPolicy, Matching<VoteCount.Counted>> matchings(
      List<VoteCount.Counted> voters) {
    Map<ApprovalPolicy, Matching<VoteCount.Counted>> matchings = new LinkedHashMap<>();
    for (ApprovalPolicy policy : policies) {
      List<VoteCount.Counted> counting =
          voters.stream().filter(voter -> counts(voter, policy)).toList();
      matchings.put(
          policy,
          Matching.of(
              policy,
              counting,
              (voter, requirement) ->
                  requirement.admits(
                      separation.groups(voter.person(), groups(voter.person()), policy))));
    }
    return matchings;
  }

  private boolean mayVote(Person person) {
    return Eligibility.obstacle(person.principal(), plan.terms().proposedBy()).isEmpty()
        && bar(person).isEmpty();
  }

  private boolean counts(VoteCount.Counted voter, ApprovalPolicy policy) {
    String credential = voter.vote().credentialId();
    Passkey passkey = credential == null ? null : voter.person().passkeyOf(credential).orElse(null);
    // If the passkey has been deleted, its signature no longer counts.
    Method method = credential != null && passkey == null ? Method.SESSION : voter.vote().method();
    return bar(voter.person(), method, passkey, policy).isEmpty();
  }

  private static boolean complete(
      Map<ApprovalPolicy, Matching<VoteCount.Counted>> matchings, ApprovalPolicy policy) {
    return of(matchings, policy).complete();
  }

  private static Matching<VoteCount.Counted> of(
      Map<ApprovalPolicy, Matching<VoteCount.Counted>> matchings, ApprovalPolicy policy) {
    return Objects.requireNonNull(matchings.get(policy));
  }

  private List<VoteCount.OfAction> ofActions(
      Map<ApprovalPolicy, Matching<VoteCount.Counted>> matchings) {
    List<VoteCount.OfAction> all = new ArrayList<>();
    for (ActionPolicies one : actions) {
      List<VoteCount.OfPolicy> own = new ArrayList<>();
      for (ApprovalPolicy policy : one.policies()) {
        own.add(
            new VoteCount.OfPolicy(
                policy,
                of(matchings, policy).filled().stream()
                    .map(voter -> voter.map(VoteCount.Counted::vote))
                    .toList()));
      }
      if (!own.isEmpty()) {
        all.add(new VoteCount.OfAction(one.action().id(), own));
      }
    }
    return all;
  }
}
