package io.actiongovernance.people;

import java.time.Instant;

/**
 * A group that a person is in.
 *
 * @param since when they joined; it shows whether they became eligible only after a change
 */
public record Membership(String group, Instant since) {}
