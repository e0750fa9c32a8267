package io.actiongovernance.proposer;

import io.actiongovernance.plan.ModelExchange;
import org.jspecify.annotations.Nullable;

/**
 * Whoever works out what to do about an event: a script or a model. A port; implementations are
 * thread-safe and touch nothing (specification, rule 1: the model only proposes).
 */
public interface Proposer {
  /**
   * What a proposer came to.
   *
   * @param exchange with the model, for audit; null where none was asked
   */
  record Answer(Proposal proposal, @Nullable ModelExchange exchange) {
    /** An answer for which no model was asked. */
    public static Answer unasked(Proposal proposal) {
      return new Answer(proposal, null);
    }
  }

  /** A proposal for what the context shows; it may well be the same context twice. */
  Answer propose(ProposalContext context);
}
