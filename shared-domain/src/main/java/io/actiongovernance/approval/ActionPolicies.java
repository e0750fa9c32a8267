package io.actiongovernance.approval;

import io.actiongovernance.action.Action;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Guardrail;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policies of approval of one action, as things are now (contract for people, section 2): that
 * of the guardrail that held it at the proposal, and that of the one that holds it now. Each is to
 * be met by itself; the same one twice counts once.
 *
 * @param held whether it was held when it was proposed: then the plan is not claimed before all of
 *     them are met. What is held only since is refused where they are not.
 */
record ActionPolicies(Action action, boolean held, List<ApprovalPolicy> policies) {
  ActionPolicies {
    policies = List.copyOf(policies);
  }

  /**
   * Of an action of an open plan.
   *
   * @param defaults of what is held only since, by a guardrail that has none
   */
  static ActionPolicies of(
      Action action, Optional<Operator> operator, Supplier<ApprovalDefaults.ByTier> defaults) {
    ExecutionPolicy.ExecutionEvaluation now = ExecutionPolicy.evaluate(action, operator, true);
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

  /** The distinct policies of several. */
  static List<ApprovalPolicy> distinct(List<ActionPolicies> all) {
    return all.stream().flatMap(one -> one.policies().stream()).distinct().toList();
  }

  /**
   * How many people a claim under these policies needs, if nobody is in two groups: for the same
   * groups, as many as the policy that asks for most of them.
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
