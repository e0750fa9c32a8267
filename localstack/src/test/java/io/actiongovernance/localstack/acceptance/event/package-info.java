/** Events and outcomes: ingested, listed, streamed. */
@NullMarked
package io.actiongovernance.localstack.acceptance.event;

import org.jspecify.annotations.NullMarked;
