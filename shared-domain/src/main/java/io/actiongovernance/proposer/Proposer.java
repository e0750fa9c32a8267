package io.actiongovernance.proposer;

/**
 * Whoever works out what to do about an event: a script or a model. A port; implementations are
 * thread-safe and touch nothing (specification, rule 1: the model only proposes).
 */
public interface Proposer {
  /** A proposal for what the context shows; it may well be the same context twice. */
  Proposal propose(ProposalContext context);
}
