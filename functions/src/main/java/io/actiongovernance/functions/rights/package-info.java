/** The rights of each function, from which a deployment makes its role. */
@NullMarked
package io.actiongovernance.functions.rights;

import org.jspecify.annotations.NullMarked;
