/** Answers of use cases: done, or refused and why. Knows no HTTP. */
@NullMarked
package io.actiongovernance.outcome;

import org.jspecify.annotations.NullMarked;
