/** The trust policy: guardrails, their evaluation, and the verdicts. Fails closed. */
@NullMarked
package io.actiongovernance.policy;

import org.jspecify.annotations.NullMarked;
