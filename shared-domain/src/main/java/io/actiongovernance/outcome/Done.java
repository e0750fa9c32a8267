package io.actiongovernance.outcome;

/** Outcome of a use case that did what it was asked to do. */
public record Done<T>(T value) implements Outcome<T> {}
