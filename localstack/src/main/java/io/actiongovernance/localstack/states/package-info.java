/** Timers: the executions of Step Functions state machines, run on this machine. */
@NullMarked
package io.actiongovernance.localstack.states;

import org.jspecify.annotations.NullMarked;
