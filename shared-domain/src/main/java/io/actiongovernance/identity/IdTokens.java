package io.actiongovernance.identity;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges ID tokens (OpenID Connect Core 1.0, section 3.1.3.7). Thread-safe. */
final class IdTokens {
  /** Maximum difference between clocks. */
  private static final Duration LEEWAY = Duration.ofMinutes(1);

  /** Permitted form of a subject (OpenID Connect Core 1.0, section 2). */
  private static final String SUBJECT = "[\\x20-\\x7e]{1,255}";

  /** Accepts the type JWT, or no type. An access token has another type. */
  private static final DefaultJOSEObjectTypeVerifier<SecurityContext> TYPES =
      new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, null);

  private final Issuers issuers;
  private final InstantSource clock;

  IdTokens(Issuers issuers, InstantSource clock) {
    this.issuers = issuers;
    this.clock = clock;
  }

  /** Returns the claims of a token that was made for this sign-in at this provider. */
  Outcome<JWTClaimsSet> claims(
      IdentityProvider provider, Issuer known, String token, SignInState state) {
    Optional<JWTClaimsSet> claims = signed(token, known);
    if (claims.isEmpty()) {
      // A newer key may have signed it.
      switch (issuers.again(provider, known)) {
        case Refused<Issuer>(Refusal refusal) -> {
          return Outcome.refused(refusal);
        }
        case Done<Issuer>(Issuer issuer) -> claims = signed(token, issuer);
      }
    }
    return claims
        .map(these -> judged(these, provider, state))
        .orElseGet(() -> refused("it is not signed with a key of the issuer"));
  }

  private static Optional<JWTClaimsSet> signed(String token, Issuer issuer) {
    return SignedTokens.claims(token, issuer.keys(), TYPES);
  }

  private Outcome<JWTClaimsSet> judged(
      JWTClaimsSet claims, IdentityProvider provider, SignInState state) {
    String wrong = wrong(claims, provider, state);
    return wrong == null ? Outcome.done(claims) : refused(wrong);
  }

  private @Nullable String wrong(
      JWTClaimsSet claims, IdentityProvider provider, SignInState state) {
    Instant now = clock.instant();
    if (!provider.issuer().equals(claims.getIssuer())) {
      return "it is from another issuer";
    }
    String subject = claims.getSubject();
    if (subject == null || !subject.matches(SUBJECT)) {
      return "it has no subject of at most 255 ASCII characters";
    }
    if (!claims.getAudience().contains(provider.clientId())) {
      return "it is for another client";
    }
    Object party = claims.getClaim("azp");
    boolean ofAnother = party != null && !provider.clientId().equals(party);
    if (ofAnother || (claims.getAudience().size() > 1 && party == null)) {
      return "another client requested it";
    }
    Date expires = claims.getExpirationTime();
    if (expires == null || !now.isBefore(expires.toInstant().plus(LEEWAY))) {
      return "it has expired";
    }
    if (claims.getIssueTime() == null) {
      return "it has no issue time";
    }
    if (isLater(claims.getIssueTime(), now) || isLater(claims.getNotBeforeTime(), now)) {
      return "it is not valid yet";
    }
    if (!state.nonce().equals(claims.getClaim("nonce"))) {
      return "its nonce belongs to another sign-in";
    }
    return wrongAge(authTime(claims).orElse(null), state.maxAge(), now);
  }

  private static @Nullable String wrongAge(
      @Nullable Instant at, @Nullable Integer maxAge, Instant now) {
    if (at != null && at.isAfter(now.plus(LEEWAY))) {
      return "its auth_time is in the future";
    }
    boolean fits =
        maxAge == null
            || (at != null && !now.isAfter(at.plus(Duration.ofSeconds(maxAge)).plus(LEEWAY)));
    return fits ? null : "its auth_time is not within max_age";
  }

  /** Returns when the person last authenticated. */
  static Optional<Instant> authTime(JWTClaimsSet claims) {
    return claims.getClaim("auth_time") instanceof Number seconds
        ? Optional.of(
            Instant.ofEpochSecond((long) Math.clamp(seconds.doubleValue(), 0, SignedTokens.END)))
        : Optional.empty();
  }

  private static boolean isLater(@Nullable Date date, Instant now) {
    return date != null && date.toInstant().isAfter(now.plus(LEEWAY));
  }

  private static <T> Outcome<T> refused(String why) {
    return Outcome.refused(
        new Refusal.Unauthenticated("The issuer's ID token is not accepted: " + why + "."));
  }
}
