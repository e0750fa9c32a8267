package io.actiongovernance.proposer;

import io.actiongovernance.api.ApiError;
import java.util.List;

/** What {@link ProposalRules} say of a proposal: all of it is fit to be planned, or none of it. */
public sealed interface Vetted {
  /** In the order they were proposed. */
  record Accepted(List<PlannedDraft> actions) implements Vetted {
    public Accepted {
      actions = List.copyOf(actions);
    }
  }

  /** What is wrong first: its {@code param} is the field, as {@code actions[0].tool}. */
  record Rejected(ApiError error) implements Vetted {}
}
