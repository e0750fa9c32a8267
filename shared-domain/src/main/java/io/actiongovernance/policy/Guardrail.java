package io.actiongovernance.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule of an operator's trust policy: which actions it matches, what it says of them, and how
 * many of them may run (contract, section 3).
 *
 * @param name unique in its set; the {@code rule} of the verdicts it decides
 * @param priority of several that match, the one with the least decides, unless one is a BLOCK
 * @param tool a tool's name or a {@link Glob}
 * @param connector a connector's id, or null for any
 * @param conditions on an ALLOW with the least value that its greatest implies, which what was sent
 *     need not say
 * @param approval who must approve what it holds; null where anybody may who has the right to
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

  /** The greatest priority; the least is as far below zero. */
  public static final int MAX_PRIORITY = 1_000_000;

  public static final int MAX_LIMITS = 10;

  public Guardrail {
    limits = List.copyOf(limits);
    conditions = decision == Decision.ALLOW ? conditions.withLeastValue() : conditions;
  }

  /** A guardrail that leaves it to whoever has the right to approve. */
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
