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
 * A sign-in by a browser (contract for people, section 1). Immutable.
 *
 * @param holder the key or the person as whom it calls
 * @param workspaceId the only workspace that it reaches; null for the whole tenant
 * @param passkey the passkey used to sign in; the session ends if it is deleted. Null if none
 * @param madeBy the author of the sign-in ticket; the session ends with their access. Null if there
 *     was none
 * @param freshUntil the time until which its holder counts as freshly authenticated at their
 *     issuer; null if nobody asked for that
 * @param lastUsedAt may be a minute old; automatic reads of a page that is left open do not count
 *     as use
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
  /** Maximum age of a sign-in at an issuer that counts as fresh. */
  public static final Duration FRESH = Duration.ofMinutes(5);

  public enum Method {
    /** With a ticket of a key, as that key. */
    KEY("key"),
    /** With a ticket for a person, who can only enrol their first passkey with it. */
    ENROLMENT("enrolment"),
    /** With a passkey. */
    PASSKEY("passkey"),
    /** With a sign-in at the person's issuer. */
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

    /** Returns whether a person proved their identity. */
    public boolean verified() {
      return this == PASSKEY || this == ISSUER;
    }
  }
}
