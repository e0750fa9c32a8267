/** The executor: everything that may cause a side effect, and nothing that proposes one. */
@NullMarked
package io.actiongovernance.kernel;

import org.jspecify.annotations.NullMarked;
