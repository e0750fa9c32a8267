package io.actiongovernance.kernel;

/**
 * Collaborators that explain a refused claim.
 *
 * @param undone tells whether the action to undo has been undone since
 * @param left frees the lock that was found taken if its holder does not run
 * @param locks marks a lock that an approval or an undo found taken
 */
public record WhyRefused(UndoneMeanwhile undone, LeftLocks left, EntityLocks locks) {}
