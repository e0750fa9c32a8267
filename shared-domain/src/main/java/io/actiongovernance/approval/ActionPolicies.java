package io.actiongovernance.approval;

import io.actiongovernance.action.Action;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Guardrail;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Current approval policies of one action (contract for people, section 2): that of the guardrail
 * that held it at proposal, and that of the guardrail that holds it now. Each must be met
 * separately; if both are the same policy, it counts once.
 *
 * @param held whether it was held at proposal. If so, the plan is not claimed before all its
 *     policies are met. An action held only since then is refused if they are not met
 */
record ActionPolicies(Action action, boolean held, List<ApprovalPolicy> policies) {
  ActionPolicies {
    policies = List.copyOf(policies);
  }

  /**
   * Returns the policies of an action of an open plan.
   *
   * @param defaults for an action that has been held only since its proposal, by a guardrail
   *     without a policy
   */
  static ActionPolicies of(
      Action action,
      Optional<Operator> operator,
      Supplier<ApprovalDefaults.ByTier> defaults,
      Instant at) {
    ExecutionPolicy.ExecutionEvaluation now = ExecutionPolicy.evaluate(action, operator, true, at);
    boolean held = action.terms().verdict().decision() == Decision.ALERT;
    Guardrail guardrail = now.guardrail();
    @Nullable ApprovalPolicy since =
        guardrail == null || now.verdict().decision() != Decision.ALERT
            ? null
            : guardrail.approval();
    if (!held && since == null && now.verdict().decision() == Decision.ALERT) {
      since = defaults.get().of(now.verdict().tier());
    }
    return new ActionPolicies(
        action,
        held,
        Stream.of(held ? action.terms().approval() : null, since)
            .filter(Objects::nonNull)
            .distinct()
            .toList());
  }

  static List<ApprovalPolicy> distinct(List<ActionPolicies> all) {
    return all.stream().flatMap(one -> one.policies().stream()).distinct().toList();
  }

  /**
   * Returns how many people a claim under these policies needs, if nobody is in two groups. If
   * several policies name the same groups, the policy that needs most people of them counts.
   */
  static int peopleOf(List<ApprovalPolicy> policies) {
    Map<List<String>, Integer> most = new LinkedHashMap<>();
    for (ApprovalPolicy policy : policies) {
      Map<List<String>, Integer> own = new LinkedHashMap<>();
      policy.allOf().forEach(one -> own.merge(one.groups(), one.count(), Integer::sum));
      own.forEach((groups, count) -> most.merge(groups, count, Math::max));
    }
    return most.values().stream().mapToInt(Integer::intValue).sum();
  }
}
