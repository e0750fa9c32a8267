/** The functions, invoked in the same way as by the managed runtime. */
@NullMarked
package io.actiongovernance.localstack.lambda;

import org.jspecify.annotations.NullMarked;
