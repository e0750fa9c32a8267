package io.actiongovernance.access;

/**
 * The budgets of a source address, for requests whose caller is not known. Each is used up by
 * itself, so that one program with a wrong key keeps nobody at its address from signing in.
 */
public enum AddressBudget {
  /** Requests with a key or an access token that is not valid, and requests for no route. */
  KEYS("unauthenticated"),
  /** Requests without a key whose session is not in force, or that show none. */
  SESSIONS("sessions"),
  /** Browsers on their way to an issuer or an authorization server, and back. */
  SIGN_IN("sign_in"),
  /** Tickets that are inspected and redeemed. */
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

  /** The name of its bucket, as it is stored. */
  String bucket() {
    return bucket;
  }
}
