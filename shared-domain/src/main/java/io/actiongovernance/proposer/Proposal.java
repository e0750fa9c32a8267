package io.actiongovernance.proposer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answer of a proposer. It only proposes: nothing in it has been validated, vetted, or run. */
public sealed interface Proposal {
  /** Nothing to do: no plan. */
  record Nothing() implements Proposal {}

  /**
   * Plan that is not validated yet.
   *
   * @param reasoning the stated reasoning, verbatim, or null
   */
  record Proposed(@Nullable String reasoning, List<ProposedAction> actions) implements Proposal {
    public Proposed {
      actions = List.copyOf(actions);
    }
  }

  /**
   * Answer that is not a plan, to be receipted as refused.
   *
   * @param why for people: what is wrong with it
   */
  record Unusable(String why) implements Proposal {}

  /**
   * No model was asked, because the requests of this hour are used up.
   *
   * @param perHour requests per hour of an operator
   */
  record PutOff(int perHour) implements Proposal {}
}
