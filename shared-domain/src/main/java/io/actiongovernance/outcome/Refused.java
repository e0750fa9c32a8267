package io.actiongovernance.outcome;

/**
 * Outcome of a use case that refused. It changed nothing, except that the refusal may leave a
 * receipt.
 */
public record Refused<T>(Refusal refusal) implements Outcome<T> {}
