/** What can be proved of a set of guardrails, or shown by an action (contract, section 4). */
@NullMarked
package io.actiongovernance.policy.analysis;

import org.jspecify.annotations.NullMarked;
