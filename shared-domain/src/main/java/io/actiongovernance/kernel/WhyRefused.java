package io.actiongovernance.kernel;

/**
 * What is looked at once a claim was refused.
 *
 * @param undone whether what is to be undone has been since
 * @param locks whether the lock that was met is anybody's
 */
public record WhyRefused(UndoneMeanwhile undone, LeftLocks locks) {}
