package io.actiongovernance.identity;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.IdentityProviderId;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * What a deployment brings to sign-ins at issuers.
 *
 * @param redirectUri where an issuer sends browsers back to
 * @param random not to be foreseen
 */
public record SignInTerms(
    Sealer sealer,
    Function<IdentityProviderId, URI> redirectUri,
    InstantSource clock,
    RandomGenerator random) {
  /** How long a sign-in may take, from its beginning to the browser's return. */
  public static final Duration LONGEST = Duration.ofMinutes(10);
}
