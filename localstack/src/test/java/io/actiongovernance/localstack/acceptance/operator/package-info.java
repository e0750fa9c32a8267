/** Operators, their models and their schedules. */
@NullMarked
package io.actiongovernance.localstack.acceptance.operator;

import org.jspecify.annotations.NullMarked;
