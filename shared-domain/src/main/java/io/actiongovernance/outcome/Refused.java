package io.actiongovernance.outcome;

/** Outcome of a use case that refused, changing nothing except that it may leave a receipt. */
public record Refused<T>(Refusal refusal) implements Outcome<T> {}
