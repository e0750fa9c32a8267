package io.actiongovernance.session;

import io.actiongovernance.access.Principal;
import io.actiongovernance.id.PasskeyId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Way in which a session began.
 *
 * @param passkey the passkey that proved the identity; null if none did
 * @param madeBy who made the ticket; null if there was none
 */
public record BegunBy(
    Session.Method method,
    @Nullable PasskeyId passkey,
    @Nullable Principal madeBy,
    @Nullable Instant freshUntil) {
  /** Returns the beginning with a ticket, as the ticket's key or to enrol. */
  static BegunBy ticket(Session.Method method, Principal madeBy) {
    return new BegunBy(method, null, madeBy, null);
  }

  static BegunBy passkey(PasskeyId passkey) {
    return new BegunBy(Session.Method.PASSKEY, passkey, null, null);
  }

  /** Returns the beginning with a sign-in at the person's issuer. */
  public static BegunBy issuer(@Nullable Instant freshUntil) {
    return new BegunBy(Session.Method.ISSUER, null, null, freshUntil);
  }
}
