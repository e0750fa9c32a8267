/** Execution plans: proposal, hold, approval, veto, expiry. */
@NullMarked
package io.actiongovernance.plan;

import org.jspecify.annotations.NullMarked;
