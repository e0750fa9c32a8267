/** A Lambda runtime of our own, for the function whose answer is a stream. */
@NullMarked
package io.actiongovernance.functions.runtime;

import org.jspecify.annotations.NullMarked;
