/** Event sources of the functions that are not HTTP: queues, streams, schedules. */
@NullMarked
package io.actiongovernance.localstack.source;

import org.jspecify.annotations.NullMarked;
