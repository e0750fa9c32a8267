/** The settings of a deployment or a stack, and the sizes of its functions. */
@NullMarked
package io.actiongovernance.functions.settings;

import org.jspecify.annotations.NullMarked;
