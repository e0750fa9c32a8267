/** What each function may do: the source of its role in a deployment. */
@NullMarked
package io.actiongovernance.functions.rights;

import org.jspecify.annotations.NullMarked;
