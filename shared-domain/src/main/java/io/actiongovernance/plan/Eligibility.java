package io.actiongovernance.plan;

import io.actiongovernance.access.Principal;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.outcome.Refusal;
import java.util.Optional;

/**
 * Rules on who may decide on a proposal. Nobody approves what they proposed themselves, whatever
 * their scopes permit. Anybody may decide on a proposal by an operator's script or model, including
 * the one who ingested its event (contract, section 4). A veto runs nothing and is open to all.
 * Every request for a decision on a plan, an action or its resolution is checked here.
 */
public final class Eligibility {
  /** Refusal if decider and proposer are the same key, or the same person is behind both. */
  public static final Refusal SELF_APPROVAL =
      new Refusal.NotEligible(
          "self_approval",
          "Nobody approves what they proposed. Another person, or a key of another owner, must"
              + " decide.");

  private Eligibility() {}

  /** Returns the refusal if this principal may not decide on the proposal. */
  public static Optional<Refusal> obstacle(Principal decider, ProposedBy proposedBy) {
    return proposedBy.includes(decider) ? Optional.of(SELF_APPROVAL) : Optional.empty();
  }
}
