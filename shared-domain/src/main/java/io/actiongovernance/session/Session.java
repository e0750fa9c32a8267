package io.actiongovernance.session;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who is signed in by a browser (contract for people, section 1). Immutable.
 *
 * @param holder the key or the person that it calls as
 * @param method how it was begun
 * @param workspaceId the only workspace that it reaches; null for the whole tenant
 * @param passkey by which it was begun, and with which it ends; null for any other
 * @param madeBy who made the ticket that began it, and with whom it ends; null where there was none
 * @param freshUntil until when its holder counts as having just shown at their issuer who they are;
 *     null where nobody asked for that
 * @param lastUsedAt may be a minute old; reading by itself, as a page does that is left open, is no
 *     use
 * @param expiresAt when it ends, however much it is used
 */
public record Session(
    SessionId id,
    Partition partition,
    Principal holder,
    Method method,
    @Nullable String workspaceId,
    @Nullable PasskeyId passkey,
    @Nullable Principal madeBy,
    @Nullable Instant freshUntil,
    Instant createdAt,
    Instant lastUsedAt,
    Instant expiresAt) {
  /** How old a sign-in at an issuer may be that somebody has just shown who they are by. */
  public static final Duration FRESH = Duration.ofMinutes(5);

  /** How a session was begun. */
  public enum Method {
    /** By a ticket of a key, as that key. */
    KEY("key"),
    /** By a ticket for a person, who can enrol their first passkey with it and nothing else. */
    ENROLMENT("enrolment"),
    /** By a passkey. */
    PASSKEY("passkey"),
    /** At the person's issuer. */
    ISSUER("issuer");

    private final String wire;

    Method(String wire) {
      this.wire = wire;
    }

    @JsonValue
    public String wire() {
      return wire;
    }

    public static Optional<Method> parse(String text) {
      return Arrays.stream(values()).filter(method -> method.wire.equals(text)).findFirst();
    }

    /** Whether a person showed who they are. */
    public boolean verified() {
      return this == PASSKEY || this == ISSUER;
    }
  }
}
