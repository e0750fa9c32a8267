package io.actiongovernance.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.json.Json;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * State of a browser that signs in. It is sealed in {@code state}, so that nobody else can read it
 * or make one.
 *
 * @param version the provider's version when the sign-in began
 * @param browser hash of the browser's cookie
 * @param verifier the verifier of the code (RFC 7636)
 * @param nonce the nonce that the ID token must have
 * @param workspaceId the workspace of the session; null for the whole tenant
 * @param maxAge maximum age of the sign-in at the issuer, in seconds; null for any age
 */
record SignInState(
    IdentityProviderId provider,
    long version,
    String browser,
    String verifier,
    String nonce,
    @Nullable String workspaceId,
    String to,
    @Nullable Integer maxAge,
    Instant expiresAt) {
  private static final String CONTEXT = "sign-in";

  String sealed(Sealer sealer) {
    return sealer.seal(Sealer.Purpose.AUTHORIZATION, CONTEXT, Json.write(this).getBytes(UTF_8));
  }

  /** Opens a state; empty if it was not sealed here. */
  static Optional<SignInState> open(String sealed, Sealer sealer) {
    return sealer
        .open(Sealer.Purpose.AUTHORIZATION, CONTEXT, sealed)
        .map(text -> Json.read(new String(text, UTF_8), SignInState.class));
  }

  @Override
  public String toString() {
    return "SignInState[" + provider + "]";
  }
}
