package io.actiongovernance.proposer;

import io.actiongovernance.plan.ModelExchange;
import org.jspecify.annotations.Nullable;

/**
 * Port to a script or a model that decides what to do about an event. Implementations are
 * thread-safe and have no effects (specification, rule 1: the model only proposes).
 */
public interface Proposer {
  /**
   * Result of a proposer.
   *
   * @param exchange the exchange with the model, for audit; null if no model was asked
   */
  record Answer(Proposal proposal, @Nullable ModelExchange exchange) {
    public static Answer unasked(Proposal proposal) {
      return new Answer(proposal, null);
    }
  }

  /** Proposes actions for the context. The same context may be given twice. */
  Answer propose(ProposalContext context);
}
