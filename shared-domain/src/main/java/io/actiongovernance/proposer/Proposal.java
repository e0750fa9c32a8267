package io.actiongovernance.proposer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answer of a proposer. It is only a proposal: nothing in it has been validated, vetted, or run.
 */
public sealed interface Proposal {
  /** There is nothing to do, so no plan is made. */
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
   * Answer that is not a plan, for which a receipt records the refusal.
   *
   * @param why the reason, for people
   */
  record Unusable(String why) implements Proposal {}

  /**
   * No model was asked, because the requests of this hour are used up.
   *
   * @param perHour number of requests of an operator per hour
   */
  record PutOff(int perHour) implements Proposal {}
}
