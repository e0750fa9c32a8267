package io.actiongovernance.people;

import java.time.Instant;

/**
 * A group that a person is in.
 *
 * @param since when they came into it: who has become eligible only after a change is told by it
 */
public record Membership(String group, Instant since) {}
