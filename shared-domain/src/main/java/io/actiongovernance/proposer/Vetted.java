package io.actiongovernance.proposer;

import java.util.List;

/** What {@link ProposalRules} say of a proposal: all of it is fit to be planned, or none of it. */
public sealed interface Vetted {
  /** In the order they were proposed. */
  record Accepted(List<PlannedDraft> actions) implements Vetted {
    public Accepted {
      actions = List.copyOf(actions);
    }
  }

  /**
   * What is wrong first.
   *
   * @param param the field, as {@code actions[0].tool}
   */
  record Rejected(String param, String message) implements Vetted {}
}
