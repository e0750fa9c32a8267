package io.actiongovernance.identity;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.IdentityProviderId;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The deployment's terms for sign-ins at issuers.
 *
 * @param redirectUri the address to which an issuer sends browsers back
 * @param random must be unpredictable
 */
public record SignInTerms(
    Sealer sealer,
    Function<IdentityProviderId, URI> redirectUri,
    InstantSource clock,
    RandomGenerator random) {
  /** Maximum duration of a sign-in, from its beginning to the browser's return. */
  public static final Duration LONGEST = Duration.ofMinutes(10);
}
