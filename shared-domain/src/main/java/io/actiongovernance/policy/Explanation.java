package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Explanation of a verdict: the guardrails about the action's tool, and the result of each of their
 * conditions (contract for the policy lab, section 6). {@link Guardrails#explain} makes it of the
 * evaluator's own tests. Immutable.
 *
 * @param evaluation of the guardrails alone, without limits
 * @param considered the first {@value #MOST} enabled guardrails whose tool matches, first decider
 *     first; the first that matched decides
 */
public record Explanation(Evaluation evaluation, List<Considered> considered) {
  public static final int MOST = 100;

  public Explanation {
    considered = List.copyOf(considered);
  }

  /**
   * Guardrail that may have decided.
   *
   * @param matched whether it matches the action
   * @param conditions its connector and its conditions, each tested alone. They are empty for a
   *     guardrail that asks nothing, and for the one that decides an undo because it decided the
   *     original
   */
  public record Considered(
      String guardrail, Decision decision, boolean matched, List<Condition> conditions) {
    public Considered {
      conditions = List.copyOf(conditions);
    }
  }

  /**
   * Condition of a guardrail, tested alone.
   *
   * @param asked what the guardrail states
   * @param got what the action has; JSON null if nothing
   * @param claimed whether only the proposer vouches for what the action has
   */
  public record Condition(
      ConditionName on, JsonNode asked, JsonNode got, Truth held, boolean claimed) {}
}
