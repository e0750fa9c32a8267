package io.actiongovernance.functions.samples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.people.Assertion;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;

/**
 * A passkey without a device or a person: an EC P-256 key, and what a browser and an authenticator
 * make with it (WebAuthn, sections 5 and 6). It attests nothing, and signs whatever it is told to,
 * for whichever origin: what is to be refused is refused by the service. Immutable.
 *
 * @param origin of the page that asks, as {@code http://localhost:8080}
 * @param relyingParty the name that the passkey is bound to: the host of the base URL
 * @param verifiesUser whether it says that it has verified its user
 * @param credentialId how authenticators name it, base64url without padding
 */
public record SoftwareAuthenticator(
    String origin, String relyingParty, boolean verifiesUser, KeyPair key, String credentialId) {
  private static final int PRESENT = 0x01;
  private static final int VERIFIED = 0x04;
  private static final int ATTESTED = 0x40;
  private static final int COORDINATE = 32;
  private static final int ID = 16;

  /** A new passkey of a page of this origin. */
  public static SoftwareAuthenticator at(String origin, String relyingParty) {
    byte[] id = new byte[ID];
    new SecureRandom().nextBytes(id);
    try {
      KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
      keys.initialize(new ECGenParameterSpec("secp256r1"));
      return new SoftwareAuthenticator(
          origin, relyingParty, true, keys.generateKeyPair(), text(id));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same passkey on a page of another origin. */
  public SoftwareAuthenticator onPageOf(String otherOrigin) {
    return new SoftwareAuthenticator(otherOrigin, relyingParty, verifiesUser, key, credentialId);
  }

  /** The same passkey for another name. */
  public SoftwareAuthenticator boundTo(String otherParty) {
    return new SoftwareAuthenticator(origin, otherParty, verifiesUser, key, credentialId);
  }

  /** The same passkey, used without its user being verified. */
  public SoftwareAuthenticator withoutVerification() {
    return new SoftwareAuthenticator(origin, relyingParty, false, key, credentialId);
  }

  /**
   * What enrols it; every part in base64url without padding.
   *
   * @param clientData what was asked for, and on which page
   * @param attestation the key, in the format {@code none}
   */
  public record Enrolment(String credentialId, String clientData, String attestation) {}

  /** Its public key in the form COSE, base64url without padding. */
  public String publicKey() {
    return text(cose());
  }

  /** Enrols it. */
  public Enrolment enrol(byte[] challenge) {
    byte[] id = Base64.getUrlDecoder().decode(credentialId);
    ByteArrayOutputStream attested = new ByteArrayOutputStream();
    attested.writeBytes(new byte[16]);
    attested.writeBytes(ByteBuffer.allocate(2).putShort((short) id.length).array());
    attested.writeBytes(id);
    attested.writeBytes(cose());
    byte[] data = authenticatorData(ATTESTED, attested.toByteArray());
    ByteArrayOutputStream object = new ByteArrayOutputStream();
    object.write(0xa3);
    cborText(object, "fmt");
    cborText(object, "none");
    cborText(object, "attStmt");
    object.write(0xa0);
    cborText(object, "authData");
    cborBytes(object, data);
    return new Enrolment(
        credentialId, text(clientData("webauthn.create", challenge)), text(object.toByteArray()));
  }

  /**
   * What a page sends to have it enrolled.
   *
   * @param challenge as the service has answered it
   * @param name of the passkey
   */
  public ObjectNode enrolling(JsonNode challenge, String name) {
    Enrolment made = enrol(asked(challenge));
    ObjectNode body = answering(challenge).put("name", name);
    body.putObject("attestation")
        .put("id", made.credentialId())
        .putObject("response")
        .put("clientDataJSON", made.clientData())
        .put("attestationObject", made.attestation());
    return body;
  }

  /**
   * What a page sends that has a challenge signed.
   *
   * @param challenge as the service has answered it
   */
  public ObjectNode signing(JsonNode challenge) {
    Assertion made = sign(asked(challenge));
    ObjectNode body = answering(challenge);
    body.putObject("assertion")
        .put("id", made.credentialId())
        .put("type", "public-key")
        .putObject("response")
        .put("clientDataJSON", made.clientData())
        .put("authenticatorData", made.authenticatorData())
        .put("signature", made.signature());
    return body;
  }

  private static ObjectNode answering(JsonNode challenge) {
    return Json.object().put("challenge_id", challenge.path("challenge_id").textValue());
  }

  private static byte[] asked(JsonNode challenge) {
    return Base64.getUrlDecoder().decode(challenge.at("/public_key/challenge").textValue());
  }

  /** Signs a challenge. */
  public Assertion sign(byte[] challenge) {
    byte[] clientData = clientData("webauthn.get", challenge);
    byte[] data = authenticatorData(0, new byte[0]);
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(key.getPrivate());
      signature.update(data);
      signature.update(sha256(clientData));
      return new Assertion(credentialId, text(clientData), text(data), text(signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] clientData(String type, byte[] challenge) {
    return Json.write(
            Json.object()
                .put("type", type)
                .put("challenge", text(challenge))
                .put("origin", origin)
                .put("crossOrigin", false))
        .getBytes(StandardCharsets.UTF_8);
  }

  private byte[] authenticatorData(int flags, byte[] more) {
    int said = flags | PRESENT | (verifiesUser ? VERIFIED : 0);
    return ByteBuffer.allocate(37 + more.length)
        .put(sha256(relyingParty.getBytes(StandardCharsets.UTF_8)))
        .put((byte) said)
        .putInt(0)
        .put(more)
        .array();
  }

  /** {@code {1: 2, 3: -7, -1: 1, -2: x, -3: y}}: EC2, ES256, P-256 (RFC 9053). */
  private byte[] cose() {
    ECPublicKey point = (ECPublicKey) key.getPublic();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {(byte) 0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21});
    cborBytes(out, coordinate(point.getW().getAffineX().toByteArray()));
    out.write(0x22);
    cborBytes(out, coordinate(point.getW().getAffineY().toByteArray()));
    return out.toByteArray();
  }

  private static byte[] coordinate(byte[] number) {
    byte[] fixed = new byte[COORDINATE];
    int length = Math.min(number.length, COORDINATE);
    System.arraycopy(number, number.length - length, fixed, COORDINATE - length, length);
    return fixed;
  }

  private static void cborText(ByteArrayOutputStream out, String text) {
    out.write(0x60 | text.length());
    out.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static void cborBytes(ByteArrayOutputStream out, byte[] bytes) {
    out.write(0x58);
    out.write(bytes.length);
    out.writeBytes(bytes);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
