package io.actiongovernance.kernel;

/**
 * What is looked at once a claim was refused.
 *
 * @param undone whether what is to be undone has been since
 * @param left whether the lock that was met is anybody's
 * @param locks where an approval or an undo leaves its mark
 */
public record WhyRefused(UndoneMeanwhile undone, LeftLocks left, EntityLocks locks) {}
