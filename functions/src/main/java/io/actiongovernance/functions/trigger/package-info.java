/** The triggers of functions other than requests: queues, streams, rules. */
@NullMarked
package io.actiongovernance.functions.trigger;

import org.jspecify.annotations.NullMarked;
