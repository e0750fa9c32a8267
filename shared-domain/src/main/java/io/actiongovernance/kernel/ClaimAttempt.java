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
 * Attempt to claim the chosen actions of a plan.
 *
 * @param key equal for the same claim made again
 * @param along writes that take effect with the claim and are never refused
 * @param guard policies and votes that an approval depends on; null if it depends on neither
 */
record ClaimAttempt(
    Plan plan,
    List<Action> chosen,
    Optional<Operator> operator,
    Plan.@Nullable Approval approval,
    String key,
    List<Write> along,
    @Nullable Guard guard,
    Instant at) {
  /**
   * Conditions of an approval.
   *
   * @param writes checks and writes that go with the claim: if one is refused, nothing is claimed,
   *     and the approval must be judged again
   * @param uncovered the actions that the approval does not cover
   */
  record Guard(List<Write> writes, Set<ActionId> uncovered) {
    Guard {
      writes = List.copyOf(writes);
      uncovered = Set.copyOf(uncovered);
    }
  }

  Set<ActionId> uncovered() {
    return guard == null ? Set.of() : guard.uncovered();
  }

  Optional<HaltRegister.Stop> stop(HaltRegister.State halts) {
    return stop(halts, plan, chosen);
  }

  /** Returns the halt that covers one of the chosen actions of a plan, if any. */
  static Optional<HaltRegister.Stop> stop(
      HaltRegister.State halts, Plan plan, List<Action> chosen) {
    return halts.covering(
        plan.terms().operatorId(),
        chosen.stream().map(action -> action.terms().connector()).collect(Collectors.toSet()));
  }

  Set<ActionId> refused() {
    return chosen.stream()
        .filter(action -> ExecutionPolicy.evaluate(action, operator, covers(action), at).refuses())
        .map(Action::id)
        .collect(Collectors.toSet());
  }

  List<Action> undos() {
    return chosen.stream().filter(action -> action.terms().undoing() != null).toList();
  }

  private boolean covers(Action action) {
    return approval != null && !uncovered().contains(action.id());
  }

  Map<ActionId, String> digests() {
    return chosen.stream().collect(Collectors.toMap(Action::id, action -> action.terms().digest()));
  }
}
