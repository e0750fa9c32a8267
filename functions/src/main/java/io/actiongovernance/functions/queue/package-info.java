/** The queues of work, and what is sent through them. */
@NullMarked
package io.actiongovernance.functions.queue;

import org.jspecify.annotations.NullMarked;
