package io.actiongovernance.event;

import java.time.Instant;

/**
 * A position of the outcomes' log that somebody took.
 *
 * @param at the log's time when it was taken; never goes back from one position to the next
 * @param stand where it stands among what was ingested
 */
public record Slot(long position, Instant at, OutcomePosition stand) {}
