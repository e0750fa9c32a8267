/** The composition root: each part is created once, by hand. */
@NullMarked
package io.actiongovernance.functions.wiring;

import org.jspecify.annotations.NullMarked;
