/** The functions, invoked as the managed runtime does. */
@NullMarked
package io.actiongovernance.localstack.lambda;

import org.jspecify.annotations.NullMarked;
