package io.actiongovernance.functions.day;

/**
 * A request of a day, and what it was answered.
 *
 * @param answer the body of the answer
 */
public record Recorded(GoodRequest request, String answer) {}
