package io.actiongovernance.policy;

import org.jspecify.annotations.Nullable;

/**
 * A verdict and where it comes from.
 *
 * @param guardrail the guardrail that decided, whose limits count the action; null if none matched
 */
public record Evaluation(Verdict verdict, @Nullable Guardrail guardrail) {}
