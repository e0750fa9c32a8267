package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The proof that a vote's receipt alone gives (contract for people, section 3; WebAuthn, section
 * 7.2). The receipt's statement must be about the same vote as the receipt. For a vote by passkey,
 * the receipt's key must have signed that statement, with its user verified, on a page of the
 * service. Only the service attests whose key it is, and that a session was the person's.
 * Immutable.
 *
 * @param receipt a receipt of kind {@code approval}, outcome {@code voted}
 */
record VoteProof(JsonNode receipt) {
  private static final String PREFIX = "approval.v1\n";
  private static final int PARTY_BYTES = 32;
  private static final int SHORTEST = 37;
  private static final int PRESENT_AND_VERIFIED = 0b101;

  /** Signature algorithms by the algorithm of the key. */
  private static final Map<String, String> SIGNATURES =
      Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "Ed25519", "Ed25519");

  boolean signed() {
    return receipt.at("/evidence/method").asText().equals("passkey");
  }

  /** Returns the part of the proof that does not hold, in words; null if the proof holds. */
  @Nullable String problem() {
    JsonNode evidence = receipt.path("evidence");
    JsonNode statement = evidence.path("statement");
    JsonNode decider = receipt.at("/decided_by/0");
    if (!statement.path("purpose").asText().equals("plan.approve")
        || !statement.path("plan_id").equals(receipt.path("plan_id"))
        || !statement.path("approver").equals(decider.path("id"))
        || !statement.path("note_sha256").equals(hash(receipt.path("note")))) {
      return "its statement is not of this vote";
    }
    if (!signed()) {
      return null;
    }
    try {
      return problem(evidence, statement);
    } catch (IllegalArgumentException
        | Json.InvalidJson
        | Json.NumberOutOfRange
        | GeneralSecurityException e) {
      return "what was signed cannot be read";
    }
  }

  private static JsonNode hash(JsonNode note) {
    return note.isTextual()
        ? Json.object().textNode(CanonicalJson.sha256(note.textValue()))
        : Json.object().nullNode();
  }

  private static @Nullable String problem(JsonNode evidence, JsonNode statement)
      throws GeneralSecurityException, Json.InvalidJson, Json.NumberOutOfRange {
    byte[] client = bytes(evidence, "client_data");
    byte[] authenticator = bytes(evidence, "authenticator_data");
    JsonNode said = Json.parse(client);
    String party = statement.path("rp").asText();
    String challenge =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(
                HexFormat.of()
                    .parseHex(CanonicalJson.sha256(PREFIX + CanonicalJson.of(statement))));
    if (!said.path("type").asText().equals("webauthn.get")
        || !said.path("challenge").asText().equals(challenge)) {
      return "another statement was signed";
    }
    if (!Objects.equals(URI.create(said.path("origin").asText()).getHost(), party)
        || said.path("crossOrigin").asBoolean()) {
      return "it was signed on a page of " + said.path("origin").asText();
    }
    if (authenticator.length < SHORTEST
        || !Arrays.equals(
            Arrays.copyOf(authenticator, PARTY_BYTES),
            sha256(party.getBytes(StandardCharsets.UTF_8)))) {
      return "it was signed for a name other than " + party;
    }
    if ((authenticator[PARTY_BYTES] & PRESENT_AND_VERIFIED) != PRESENT_AND_VERIFIED) {
      return "it was signed without its user being verified";
    }
    PublicKey key = key(bytes(evidence, "public_key_spki"));
    Signature signature = Signature.getInstance(algorithm(key));
    signature.initVerify(key);
    signature.update(authenticator);
    signature.update(sha256(client));
    return signature.verify(bytes(evidence, "signature"))
        ? null
        : "the key in it did not sign its statement";
  }

  private static String algorithm(PublicKey key) throws GeneralSecurityException {
    String algorithm =
        SIGNATURES.get(key.getAlgorithm().equals("EdDSA") ? "Ed25519" : key.getAlgorithm());
    if (algorithm == null) {
      throw new GeneralSecurityException("No passkey has a key of " + key.getAlgorithm() + ".");
    }
    return algorithm;
  }

  /**
   * Tries each kind of key, because Java requires the kind to be named, although the key states it.
   */
  private static PublicKey key(byte[] info) throws GeneralSecurityException {
    for (String kind : SIGNATURES.keySet()) {
      try {
        return KeyFactory.getInstance(kind).generatePublic(new X509EncodedKeySpec(info));
      } catch (GeneralSecurityException _) {
        // The key is of another kind.
      }
    }
    throw new GeneralSecurityException("No passkey has such a key.");
  }

  private static byte[] sha256(byte[] bytes) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-256").digest(bytes);
  }

  private static byte[] bytes(JsonNode evidence, String name) {
    return Base64.getUrlDecoder().decode(evidence.path(name).asText());
  }
}
