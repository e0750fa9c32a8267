/** A custom Lambda runtime, for the function that streams its answer. */
@NullMarked
package io.actiongovernance.functions.runtime;

import org.jspecify.annotations.NullMarked;
