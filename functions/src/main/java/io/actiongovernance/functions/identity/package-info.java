/** Identity providers, at which the people of a tenant sign in. */
@NullMarked
package io.actiongovernance.functions.identity;

import org.jspecify.annotations.NullMarked;
