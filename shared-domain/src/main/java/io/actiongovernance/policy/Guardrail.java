package io.actiongovernance.policy;

import io.actiongovernance.id.ConnectorId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule of an operator's trust policy: the actions that it matches, its decision, and how many
 * of them may run (contract, section 3).
 *
 * @param name unique in its set; the {@code rule} of the verdicts that it decides
 * @param priority of the guardrails that match, the one with the lowest priority decides, unless
 *     one is a BLOCK
 * @param tool a tool's name or a {@link Glob}
 * @param connector a connector's id, or null for any connector
 * @param conditions the conditions for a match. For an ALLOW, they include the minimum value that
 *     its maximum implies, even if the request did not state it
 * @param approval who must approve the actions that it holds; null if anyone with the right may
 */
public record Guardrail(
    String name,
    Decision decision,
    int priority,
    boolean enabled,
    String tool,
    @Nullable String connector,
    Conditions conditions,
    List<Limit> limits,
    @Nullable ApprovalPolicy approval) {
  public static final int MAX_NAME = 100;
  public static final int DEFAULT_PRIORITY = 100;

  /** The highest priority number; the lowest is its negative. */
  public static final int MAX_PRIORITY = 1_000_000;

  public static final int MAX_LIMITS = 10;

  public Guardrail {
    limits = List.copyOf(limits);
    conditions = decision == Decision.ALLOW ? conditions.withLeastValue() : conditions;
  }

  /** Returns whether it is about actions through this connector. */
  boolean covers(ConnectorId through) {
    return connector == null || connector.equals(through.value());
  }

  /** A guardrail without an approval policy, so that anyone with the right may approve. */
  public Guardrail(
      String name,
      Decision decision,
      int priority,
      boolean enabled,
      String tool,
      @Nullable String connector,
      Conditions conditions,
      List<Limit> limits) {
    this(name, decision, priority, enabled, tool, connector, conditions, limits, null);
  }
}
