package io.actiongovernance.event;

import java.time.Instant;

/**
 * A taken position of the outcomes' log.
 *
 * @param at the log's time when the position was taken; never goes back from one position to the
 *     next
 * @param stand its place among ingested events
 */
public record Slot(long position, Instant at, OutcomePosition stand) {}
