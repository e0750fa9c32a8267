/** Time, injected. */
@NullMarked
package io.actiongovernance.time;

import org.jspecify.annotations.NullMarked;
