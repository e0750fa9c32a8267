package io.actiongovernance.plan;

import io.actiongovernance.access.Principal;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.outcome.Refusal;
import java.util.Optional;

/**
 * Who may decide on what was proposed. Nobody approves what they proposed themselves, whatever
 * their scopes permit; what an operator's script or model proposed, anybody may decide on, who
 * ingested its event included (contract, section 4). A veto runs nothing: it is open to all.
 * Whoever asks for a plan, an action or its resolution to be decided is checked here.
 */
public final class Eligibility {
  /** Who decides and who proposed are the same key, or the same person is behind both. */
  public static final Refusal SELF_APPROVAL =
      new Refusal.NotEligible(
          "self_approval",
          "Nobody approves what they proposed: another key, with another owner, must.");

  private Eligibility() {}

  /** What keeps this principal from deciding on it, if anything does. */
  public static Optional<Refusal> obstacle(Principal decider, ProposedBy proposedBy) {
    return proposedBy.includes(decider) ? Optional.of(SELF_APPROVAL) : Optional.empty();
  }
}
