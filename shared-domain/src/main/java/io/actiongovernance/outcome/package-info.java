/** What a use case answers: done, or refused and why. Knows no HTTP. */
@NullMarked
package io.actiongovernance.outcome;

import org.jspecify.annotations.NullMarked;
