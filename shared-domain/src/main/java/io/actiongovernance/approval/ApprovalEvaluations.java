package io.actiongovernance.approval;

import io.actiongovernance.access.Principal;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.receipt.Receipt;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the state that evaluations of approvals depend on. Thread-safe. */
public final class ApprovalEvaluations {
  private final Origins origins;
  private final Edits edits;
  private final ApprovalDefaults defaults;
  private final PeopleTimes times;

  public ApprovalEvaluations(
      Origins origins, Edits edits, ApprovalDefaults defaults, PeopleTimes times) {
    this.origins = origins;
    this.edits = edits;
    this.defaults = defaults;
    this.times = times;
  }

  /**
   * Evaluates an approval of these actions of an open plan.
   *
   * @param operator the plan's operator, as it is now
   */
  public ApprovalEvaluation open(
      Plan plan, List<Action> chosen, Optional<Operator> operator, Instant now) {
    List<ActionPolicies> actions =
        chosen.stream()
            .map(
                action ->
                    ActionPolicies.of(action, operator, () -> defaults.find(plan.partition()), now))
            .toList();
    return new Reading(now).of(plan, actions, ApprovalEvaluation.Policies.of(actions));
  }

  /** Returns evaluations for several plans of a list. */
  Reading reading(Instant now) {
    return new Reading(now);
  }

  /** Evaluations that read shared state only once. Not thread-safe. */
  final class Reading {
    private final Instant now;
    private final Map<Instant, List<Receipt>> changes = new HashMap<>();
    private final Map<Principal, Set<Principal>> behind = new HashMap<>();

    private Reading(Instant now) {
      this.now = now;
    }

    /** Evaluates a plan as a whole, using only the policies that it was proposed under. */
    ApprovalEvaluation asProposed(Plan plan) {
      List<ApprovalPolicy> policies = plan.terms().approvals();
      return of(plan, List.of(), new ApprovalEvaluation.Policies(policies, policies));
    }

    private ApprovalEvaluation of(
        Plan plan, List<ActionPolicies> actions, ApprovalEvaluation.Policies policies) {
      return new ApprovalEvaluation(
          plan, actions, policies, separation(plan, policies.all()), times.issuer(), now);
    }

    private Separation separation(Plan plan, List<ApprovalPolicy> policies) {
      Duration longest =
          policies.stream()
              .map(policy -> policy.notPolicyEditor(times.policyEditor()))
              .max(Duration::compareTo)
              .orElse(Duration.ZERO);
      Set<Principal> proposers =
          policies.stream().anyMatch(ApprovalPolicy::notProposer)
              ? proposers(plan).stream()
                  .flatMap(one -> behind(plan, one).stream())
                  .collect(Collectors.toSet())
              : Set.of();
      List<Separation.MadeBy> made =
          longest.isZero()
              ? List.of()
              : Edits.bearingOn(plan, changes(plan, now.minus(longest))).stream()
                  .map(edit -> new Separation.MadeBy(behind(plan, edit.by()), edit.at()))
                  .toList();
      return new Separation(proposers, made, times.policyEditor(), now);
    }

    private List<Receipt> changes(Plan plan, Instant since) {
      return changes.computeIfAbsent(since, _ -> edits.since(plan.partition(), since));
    }

    private Set<Principal> behind(Plan plan, Principal principal) {
      return behind.computeIfAbsent(
          principal, _ -> origins.of(plan.partition(), Set.of(principal)));
    }
  }

  private static Set<Principal> proposers(Plan plan) {
    ProposedBy proposedBy = plan.terms().proposedBy();
    Set<Principal> proposers = new HashSet<>(proposedBy.amendedBy());
    proposers.add(proposedBy.principal());
    proposers.addAll(proposedBy.triggers());
    return proposers;
  }
}
