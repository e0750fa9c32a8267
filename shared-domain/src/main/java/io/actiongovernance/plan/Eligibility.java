package io.actiongovernance.plan;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.ProposedBy;
import java.util.Locale;
import java.util.Optional;

/**
 * Who may decide on what was proposed. Nobody approves what they proposed themselves, whatever
 * their scopes permit; what an operator's script or model proposed, anybody may decide on, who
 * ingested its event included (contract, section 4). A veto runs nothing: it is open to all.
 * Whoever asks for a plan, an action or its resolution to be decided is judged here.
 */
public final class Eligibility {
  private Eligibility() {}

  /** Why somebody may not decide: {@code details.reason} of the refusal. */
  public enum Obstacle {
    /** Who decides and who proposed are the same key, or the same person is behind both. */
    SELF_APPROVAL;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What keeps this principal from deciding on it, if anything does. */
  public static Optional<Obstacle> obstacle(Principal decider, ProposedBy proposedBy) {
    return proposedBy.principal().is(decider)
        ? Optional.of(Obstacle.SELF_APPROVAL)
        : Optional.empty();
  }
}
