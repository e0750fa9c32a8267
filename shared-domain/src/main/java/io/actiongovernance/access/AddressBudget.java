package io.actiongovernance.access;

/**
 * Budgets of a source address, for requests whose caller is unknown. Each budget is independent, so
 * a program with a wrong key does not keep others at its address from signing in.
 */
public enum AddressBudget {
  /** Requests with an invalid key or access token, and requests for no route. */
  KEYS("unauthenticated"),
  /** Requests without a key that have no session, or whose session is not in force. */
  SESSIONS("sessions"),
  /** Browsers on their way to an issuer or an authorization server and back. */
  SIGN_IN("sign_in"),
  /** Inspections and redemptions of tickets. */
  TICKETS("tickets"),
  /** Challenges to sign in by a passkey. */
  CHALLENGES("challenges"),
  /** Sign-ins by a passkey. */
  PASSKEYS("passkeys"),
  /** All other routes that need no key. */
  PUBLIC("public");

  private final String bucket;

  AddressBudget(String bucket) {
    this.bucket = bucket;
  }

  String bucket() {
    return bucket;
  }
}
