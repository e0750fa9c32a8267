/** What starts a function other than a request: queues, streams, rules. */
@NullMarked
package io.actiongovernance.functions.trigger;

import org.jspecify.annotations.NullMarked;
