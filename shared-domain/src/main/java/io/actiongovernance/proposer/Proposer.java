package io.actiongovernance.proposer;

import io.actiongovernance.plan.ModelExchange;
import org.jspecify.annotations.Nullable;

/**
 * Port to a script or a model that decides what to do about an event. Implementations are
 * thread-safe and touch nothing (specification, rule 1: the model only proposes).
 */
public interface Proposer {
  /**
   * Result of a proposer.
   *
   * @param exchange with the model, for audit; null if none was asked
   */
  record Answer(Proposal proposal, @Nullable ModelExchange exchange) {
    public static Answer unasked(Proposal proposal) {
      return new Answer(proposal, null);
    }
  }

  /** Proposes for what the context shows; the same context may come twice. */
  Answer propose(ProposalContext context);
}
