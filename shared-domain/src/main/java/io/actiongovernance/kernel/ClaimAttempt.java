package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.ExecutionPolicy;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to claim the chosen actions of a plan.
 *
 * @param key the same for the same claim made again
 * @param along writes that are to take effect with it, and are never refused
 */
record ClaimAttempt(
    Plan plan,
    List<Action> chosen,
    Optional<Operator> operator,
    Plan.@Nullable Approval approval,
    String key,
    List<Write> along,
    Instant at) {
  Optional<HaltRegister.Stop> stop(HaltRegister.State halts) {
    return halts.covering(
        plan.terms().operatorId(),
        chosen.stream().map(action -> action.terms().connector()).collect(Collectors.toSet()));
  }

  /** Those that the policy blocks. */
  Set<ActionId> refused() {
    return chosen.stream()
        .filter(action -> ExecutionPolicy.evaluate(action, operator, approval != null).refuses())
        .map(Action::id)
        .collect(Collectors.toSet());
  }

  Map<ActionId, String> digests() {
    return chosen.stream().collect(Collectors.toMap(Action::id, action -> action.terms().digest()));
  }
}
