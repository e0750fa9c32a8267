/** Pages of lists, and what one of them begins with. */
@NullMarked
package io.actiongovernance.page;

import org.jspecify.annotations.NullMarked;
