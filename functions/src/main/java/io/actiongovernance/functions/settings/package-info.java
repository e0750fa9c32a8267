/** What a deployment or a stack sets, and how large its functions are. */
@NullMarked
package io.actiongovernance.functions.settings;

import org.jspecify.annotations.NullMarked;
