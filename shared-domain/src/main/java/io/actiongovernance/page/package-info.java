/** Pages of lists, and requests for them. */
@NullMarked
package io.actiongovernance.page;

import org.jspecify.annotations.NullMarked;
