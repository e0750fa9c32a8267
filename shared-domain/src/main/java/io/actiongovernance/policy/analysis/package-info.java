/**
 * Facts about a set of guardrails that can be proved, or shown by an example action (contract,
 * section 4).
 */
@NullMarked
package io.actiongovernance.policy.analysis;

import org.jspecify.annotations.NullMarked;
