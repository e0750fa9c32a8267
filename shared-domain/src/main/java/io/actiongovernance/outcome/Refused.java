package io.actiongovernance.outcome;

/** It was not done, and changed nothing but what the refusal itself leaves behind: a receipt. */
public record Refused<T>(Refusal refusal) implements Outcome<T> {}
