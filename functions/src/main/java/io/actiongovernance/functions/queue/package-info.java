/** The queues of work, and their messages. */
@NullMarked
package io.actiongovernance.functions.queue;

import org.jspecify.annotations.NullMarked;
