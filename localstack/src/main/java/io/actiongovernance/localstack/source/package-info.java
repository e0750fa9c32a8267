/**
 * Event sources of the functions that are not started by HTTP requests: queues, streams, schedules.
 */
@NullMarked
package io.actiongovernance.localstack.source;

import org.jspecify.annotations.NullMarked;
