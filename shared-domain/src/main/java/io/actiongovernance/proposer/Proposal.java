package io.actiongovernance.proposer;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a proposer answered. It only proposes: nothing of it has been validated, vetted, or run. */
public sealed interface Proposal {
  /** There is nothing to do: no plan. */
  record Nothing() implements Proposal {}

  /**
   * A plan, yet to be validated.
   *
   * @param reasoning the stated reasoning, verbatim, or null
   */
  record Proposed(@Nullable String reasoning, List<ProposedAction> actions) implements Proposal {
    public Proposed {
      actions = List.copyOf(actions);
    }
  }

  /**
   * An answer that is no plan, to be receipted as refused.
   *
   * @param why for people: what is wrong with it
   */
  record Unusable(String why) implements Proposal {}

  /**
   * No model was asked: the calls of this hour are used up.
   *
   * @param perHour how many an hour has for an operator
   */
  record PutOff(int perHour) implements Proposal {}
}
