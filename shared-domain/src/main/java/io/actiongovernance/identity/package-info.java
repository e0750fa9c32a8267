/** Sign-in at the identity provider of a tenant. */
@NullMarked
package io.actiongovernance.identity;

import org.jspecify.annotations.NullMarked;
