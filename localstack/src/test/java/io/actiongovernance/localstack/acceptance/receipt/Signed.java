package io.actiongovernance.localstack.acceptance.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;

/**
 * What a receipt of a vote proves, by nothing but what is in it and the platform's cryptography.
 */
public final class Signed {
  private Signed() {}

  /**
   * Whether the key signed this challenge.
   *
   * @param challenge in hexadecimal
   */
  public static boolean holds(JsonNode evidence, String challenge) {
    try {
      byte[] client = bytes(evidence, "client_data");
      JsonNode said = Json.read(new String(client, StandardCharsets.UTF_8));
      byte[] signed = Base64.getUrlDecoder().decode(said.path("challenge").asText());
      PublicKey key =
          KeyFactory.getInstance("EC")
              .generatePublic(new X509EncodedKeySpec(bytes(evidence, "public_key_spki")));
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initVerify(key);
      signature.update(bytes(evidence, "authenticator_data"));
      signature.update(MessageDigest.getInstance("SHA-256").digest(client));
      return HexFormat.of().formatHex(signed).equals(challenge)
          && signature.verify(bytes(evidence, "signature"));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] bytes(JsonNode evidence, String name) {
    return Base64.getUrlDecoder().decode(evidence.path(name).asText());
  }
}
