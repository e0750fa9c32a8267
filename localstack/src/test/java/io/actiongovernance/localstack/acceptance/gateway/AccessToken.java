package io.actiongovernance.localstack.acceptance.gateway;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.actiongovernance.localstack.acceptance.fixture.SomeIssuer;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An access token of an issuer that is about to be signed, good for five minutes. Not thread-safe.
 */
final class AccessToken {
  private static final Duration LIFE = Duration.ofMinutes(5);

  private final JWTClaimsSet.Builder claims;
  private ECKey key;
  private @Nullable JOSEObjectType type = new JOSEObjectType("at+jwt");

  AccessToken(SomeIssuer issuer, String client, String subject, String audience) {
    Instant now = Instant.now();
    this.key = issuer.key();
    this.claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer.url())
            .claim("client_id", client)
            .subject(subject)
            .audience(audience)
            .jwtID(UUID.randomUUID().toString())
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(LIFE)));
  }

  AccessToken saying(String claim, @Nullable Object value) {
    claims.claim(claim, value);
    return this;
  }

  AccessToken audience(List<String> all) {
    claims.audience(all);
    return this;
  }

  AccessToken expiring(Instant at) {
    claims.expirationTime(Date.from(at));
    return this;
  }

  AccessToken ofType(@Nullable String name) {
    type = name == null ? null : new JOSEObjectType(name);
    return this;
  }

  AccessToken signedBy(ECKey other) {
    key = other;
    return this;
  }

  JWTClaimsSet claims() {
    return claims.build();
  }

  String text() {
    JWSHeader header =
        new JWSHeader.Builder(JWSAlgorithm.ES256).type(type).keyID(key.getKeyID()).build();
    SignedJWT jwt = new SignedJWT(header, claims());
    try {
      jwt.sign(new ECDSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return jwt.serialize();
  }
}
