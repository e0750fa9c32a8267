package io.actiongovernance.identity;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.json.Json;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What goes with a browser that signs in as {@code state}, sealed: nobody else can read it or make
 * one.
 *
 * @param version of the provider, when it began
 * @param browser the hash of what the browser shows in a cookie
 * @param verifier of the code (RFC 7636)
 * @param nonce that the ID token must have
 * @param workspaceId the workspace of the session; null for the whole tenant
 * @param to the page that was asked for
 * @param maxAge seconds that the sign-in at the issuer may be old; null for any
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
  private static final int BYTES = 32;

  /** Something that nobody foresees: 43 characters. */
  static String drawn(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return base64(bytes);
  }

  /** Whether a text may have been drawn so. */
  static boolean isDrawn(String text) {
    return text.matches("[A-Za-z0-9_-]{43}");
  }

  /** What stands for it. */
  static String hash(String text) {
    try {
      return base64(MessageDigest.getInstance("SHA-256").digest(text.getBytes(US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  String sealed(Sealer sealer) {
    return sealer.seal(Sealer.Purpose.AUTHORIZATION, CONTEXT, Json.write(this).getBytes(UTF_8));
  }

  /** Empty for what was not sealed here. */
  static Optional<SignInState> open(String sealed, Sealer sealer) {
    return sealer
        .open(Sealer.Purpose.AUTHORIZATION, CONTEXT, sealed)
        .map(text -> Json.read(new String(text, UTF_8), SignInState.class));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public String toString() {
    return "SignInState[" + provider + "]";
  }
}
