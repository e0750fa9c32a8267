/** Operators: what they watch, how they propose, and within which guardrails. */
@NullMarked
package io.actiongovernance.operator;

import org.jspecify.annotations.NullMarked;
