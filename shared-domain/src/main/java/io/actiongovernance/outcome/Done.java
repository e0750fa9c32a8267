package io.actiongovernance.outcome;

/** It was done. */
public record Done<T>(T value) implements Outcome<T> {}
