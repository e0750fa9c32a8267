package io.actiongovernance.outcome;

/**
 * Outcome of a use case that refused. It changed nothing, except that it may have written a
 * receipt.
 */
public record Refused<T>(Refusal refusal) implements Outcome<T> {}
