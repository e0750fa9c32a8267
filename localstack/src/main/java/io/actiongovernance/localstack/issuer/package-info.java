/** The issuer of the local stack, at which its people sign in. */
@NullMarked
package io.actiongovernance.localstack.issuer;

import org.jspecify.annotations.NullMarked;
