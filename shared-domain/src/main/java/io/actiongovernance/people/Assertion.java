package io.actiongovernance.people;

/**
 * Signature of an authenticator, as a browser sends it (WebAuthn, {@code
 * AuthenticationResponseJSON}). Every part is in base64url without padding. Nothing in it is
 * trusted before {@link Assertions} has verified it.
 *
 * @param clientData the browser's statement of what was signed, and for which origin
 * @param authenticatorData the authenticator's statement, such as whether it verified its user
 */
public record Assertion(
    String credentialId, String clientData, String authenticatorData, String signature) {}
