package io.actiongovernance.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.actiongovernance.json.Json;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Verifies tokens that an issuer signed with one of its keys (RFC 7515, RFC 7519). The algorithm
 * must be listed. Tokens that are unsigned, or signed with a shared secret, are never accepted. The
 * caller judges the claims. Stateless.
 */
final class SignedTokens {
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final int LEAST_RSA_BITS = 2_048;

  /** Latest Unix second that a token may name; later times would be calculated wrongly. */
  static final double END = 1e11;

  private static final List<String> TIMES = List.of("exp", "nbf", "iat");

  private SignedTokens() {}

  static boolean takes(String algorithm) {
    return ALGORITHMS.contains(new JWSAlgorithm(algorithm));
  }

  /** Returns the usable keys of a set, and ignores the others. */
  static List<JWK> keys(JsonNode set) {
    List<JWK> keys = new ArrayList<>();
    for (JsonNode one : set.path("keys")) {
      if (!one.isObject()) {
        continue;
      }
      try {
        JWK key = JWK.parse(Json.write(one));
        boolean strong = !key.getKeyType().equals(KeyType.RSA) || key.size() >= LEAST_RSA_BITS;
        if (key instanceof AsymmetricJWK && strong) {
          keys.add(key.toPublicJWK());
        }
      } catch (ParseException _) {
        // Signatures by a key of an unknown kind are not accepted.
      }
    }
    return keys;
  }

  /**
   * Returns the claims of a token; empty if none of the keys signed it, or its times are invalid.
   *
   * @param keys a JSON Web Key Set
   * @param type the types that its header may state
   */
  static Optional<JWTClaimsSet> claims(
      String token, String keys, JOSEObjectTypeVerifier<SecurityContext> type) {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            ALGORITHMS, new ImmutableJWKSet<>(new JWKSet(keys(Json.read(keys))))));
    processor.setJWSTypeVerifier(type);
    processor.setJWTClaimsSetVerifier((claims, context) -> {});
    try {
      JWTClaimsSet claims = processor.process(token, null);
      return namesTimes(token) ? Optional.of(claims) : Optional.empty();
    } catch (ParseException | BadJOSEException | JOSEException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns whether the times are valid. The raw payload is checked, because the library has
   * converted the times to milliseconds, and overflows if they are too great.
   */
  private static boolean namesTimes(String token) throws ParseException {
    Map<String, Object> said = SignedJWT.parse(token).getPayload().toJSONObject();
    return said != null
        && TIMES.stream()
            .map(said::get)
            .filter(Number.class::isInstance)
            .mapToDouble(time -> ((Number) time).doubleValue())
            .allMatch(time -> time >= 0 && time <= END);
  }
}
