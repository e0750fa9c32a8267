/** Outcomes of use cases: done, or refused with a reason. They do not depend on HTTP. */
@NullMarked
package io.actiongovernance.outcome;

import org.jspecify.annotations.NullMarked;
