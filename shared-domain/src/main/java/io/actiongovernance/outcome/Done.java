package io.actiongovernance.outcome;

/** Outcome of a use case that did what was asked. */
public record Done<T>(T value) implements Outcome<T> {}
