package io.actiongovernance.localstack.issuer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.actiongovernance.functions.route.PlainPage;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect issuer for trying sign-in on one machine. The user selects one of a few made-up
 * people. It keeps every other rule: there is one client, without a secret; it redirects only to
 * the stack's own callbacks; PKCE uses S256. Codes are single-use and valid for a minute, and every
 * answer has {@code iss}. Thread-safe.
 */
public final class DevIssuer {
  /** Path of the issuer, below the address of the stack. */
  public static final String PATH = "/dev-idp";

  /** Identifier of the only client. */
  public static final String CLIENT = "governance";

  private static final Duration CODE_LIFE = Duration.ofMinutes(1);
  private static final Duration TOKEN_LIFE = Duration.ofMinutes(5);
  private static final String CHALLENGE = "[A-Za-z0-9_-]{43}";

  private final String issuer;
  private final Pattern callback;
  private final ECKey key;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, Grant> grants = new ConcurrentHashMap<>();

  /** The request and the person that a code stands for, and the time at which it was issued. */
  private record Grant(Map<String, String> asked, DevPerson person, Instant at) {}

  /**
   * @param issuer the issuer's own address
   * @param service the base URL of the service that people sign in to
   * @param key a key from {@link #newKey}
   */
  public DevIssuer(URI issuer, URI service, String key, InstantSource clock) {
    this.issuer = issuer.toString();
    this.callback =
        Pattern.compile(
            Pattern.quote(service.toString()) + "/v1/sign_in/idp_[0-9a-z]{26}/callback");
    this.clock = clock;
    try {
      this.key = ECKey.parse(key);
    } catch (ParseException e) {
      throw new IllegalStateException("The key of the issuer cannot be read", e);
    }
  }

  /**
   * Returns a new signing key, as a JSON Web Key. Keep the key, because a service may already know
   * its public half.
   */
  public static String newKey() {
    try {
      return new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate().toJSONString();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  sealed interface Answer {
    record Document(int status, ObjectNode json) implements Answer {}

    record Page(int status, PlainPage page) implements Answer {}

    record Redirect(String to) implements Answer {}
  }

  /** Returns the issuer's discovery document. */
  Answer metadata() {
    ObjectNode said =
        Json.object()
            .put("issuer", issuer)
            .put("authorization_endpoint", issuer + "/authorize")
            .put("token_endpoint", issuer + "/token")
            .put("jwks_uri", issuer + "/jwks")
            .put("authorization_response_iss_parameter_supported", true);
    said.putArray("response_types_supported").add("code");
    said.putArray("subject_types_supported").add("public");
    said.putArray("id_token_signing_alg_values_supported").add("ES256");
    said.putArray("token_endpoint_auth_methods_supported").add("none");
    said.putArray("code_challenge_methods_supported").add("S256");
    return new Answer.Document(200, said);
  }

  /** Returns the public half of the signing key. */
  Answer keys() {
    JWKSet keys = new JWKSet(key.toPublicJWK());
    return new Answer.Document(200, (ObjectNode) Json.read(keys.toString(true)));
  }

  /**
   * Answers a browser. It first shows the choice of people, then redirects with a code or a
   * refusal.
   */
  Answer authorize(Map<String, String> asked) {
    String to = asked.getOrDefault("redirect_uri", "");
    if (!CLIENT.equals(asked.get("client_id")) || !callback.matcher(to).matches()) {
      return new Answer.Page(400, DevPages.refusal());
    }
    boolean fits =
        "code".equals(asked.get("response_type"))
            && "S256".equals(asked.get("code_challenge_method"))
            && asked.getOrDefault("code_challenge", "").matches(CHALLENGE)
            && List.of(asked.getOrDefault("scope", "").split(" ")).contains("openid");
    if (!fits) {
      return back(asked, Map.of("error", "invalid_request"));
    }
    String who = asked.get("person");
    if (who == null) {
      return new Answer.Page(200, DevPages.choice(issuer + "/authorize?" + query(asked)));
    }
    return DevPerson.of(who)
        .map(person -> back(asked, Map.of("code", code(asked, person))))
        .orElseGet(() -> back(asked, Map.of("error", "access_denied")));
  }

  private String code(Map<String, String> asked, DevPerson person) {
    Instant now = clock.instant();
    grants.values().removeIf(grant -> !now.isBefore(grant.at().plus(CODE_LIFE)));
    String code = drawn();
    grants.put(code, new Grant(Map.copyOf(asked), person, now));
    return code;
  }

  private String drawn() {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private Answer back(Map<String, String> asked, Map<String, String> said) {
    Map<String, String> query = new TreeMap<>(said);
    query.put("iss", issuer);
    if (asked.containsKey("state")) {
      query.put("state", asked.get("state"));
    }
    return new Answer.Redirect(asked.get("redirect_uri") + "?" + query(query));
  }

  private static String query(Map<String, String> query) {
    return new TreeMap<>(query)
        .entrySet().stream()
            .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
  }

  /**
   * Exchanges a code for tokens.
   *
   * @param authorization the {@code Authorization} header; null for a client without a secret, as
   *     the only client is
   */
  Answer token(@Nullable String authorization, Map<String, String> form) {
    boolean known =
        authorization == null
            && CLIENT.equals(form.get("client_id"))
            && !form.containsKey("client_secret");
    if (!known) {
      return refused(401, "invalid_client");
    }
    if (!"authorization_code".equals(form.get("grant_type"))) {
      return refused(400, "unsupported_grant_type");
    }
    Grant grant = grants.remove(form.getOrDefault("code", ""));
    boolean good =
        grant != null
            && clock.instant().isBefore(grant.at().plus(CODE_LIFE))
            && form.getOrDefault("redirect_uri", "").equals(grant.asked().get("redirect_uri"))
            && challenge(form.getOrDefault("code_verifier", ""))
                .equals(grant.asked().get("code_challenge"));
    return good ? new Answer.Document(200, tokens(grant)) : refused(400, "invalid_grant");
  }

  private static Answer refused(int status, String error) {
    return new Answer.Document(status, Json.object().put("error", error));
  }

  private static String challenge(String verifier) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private ObjectNode tokens(Grant grant) {
    return Json.object()
        .put("access_token", drawn())
        .put("token_type", "Bearer")
        .put("expires_in", TOKEN_LIFE.toSeconds())
        .put("id_token", signed(claims(grant)));
  }

  private JWTClaimsSet claims(Grant grant) {
    DevPerson person = grant.person();
    Instant now = clock.instant();
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer)
            .audience(CLIENT)
            .subject("dev-" + person.wire())
            .claim("name", person.fullName())
            .claim("email", person.wire() + "@acme.example")
            .claim("nonce", grant.asked().get("nonce"))
            .claim("auth_time", grant.at().getEpochSecond())
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plus(TOKEN_LIFE)));
    return person.overage()
        ? claims.claim("_claim_names", Map.of("groups", "src1")).build()
        : claims.claim("groups", person.groups()).build();
  }

  private String signed(JWTClaimsSet claims) {
    try {
      JWSHeader header =
          new JWSHeader.Builder(JWSAlgorithm.ES256)
              .keyID(key.getKeyID())
              .type(JOSEObjectType.JWT)
              .build();
      SignedJWT token = new SignedJWT(header, claims);
      token.sign(new ECDSASigner(key));
      return token.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
