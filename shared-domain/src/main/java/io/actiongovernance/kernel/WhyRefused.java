package io.actiongovernance.kernel;

/**
 * Collaborators that explain a refused claim.
 *
 * @param undone tells whether the action to undo has been undone since
 * @param left frees the lock that was met if its holder does not run
 * @param locks where an approval or an undo leaves its mark
 */
public record WhyRefused(UndoneMeanwhile undone, LeftLocks left, EntityLocks locks) {}
