package io.actiongovernance.people;

/**
 * What an authenticator signed, as a browser tells it (WebAuthn, {@code
 * AuthenticationResponseJSON}); every part in base64url without padding. Nothing of it is trusted
 * before {@link Assertions}.
 *
 * @param credentialId of the passkey that signed
 * @param clientData what the browser says was signed, and for which origin
 * @param authenticatorData what the authenticator says, as whether it verified its user
 */
public record Assertion(
    String credentialId, String clientData, String authenticatorData, String signature) {}
