/** The composition root: each part once, by hand. */
@NullMarked
package io.actiongovernance.functions.wiring;

import org.jspecify.annotations.NullMarked;
