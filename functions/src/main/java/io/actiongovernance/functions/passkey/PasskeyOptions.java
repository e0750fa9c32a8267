package io.actiongovernance.functions.passkey;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.webauthn.Webauthn;
import io.actiongovernance.json.Json;
import io.actiongovernance.people.Passkey;
import io.actiongovernance.people.Person;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * Options for a browser, with WebAuthn's names ({@code PublicKeyCredentialCreationOptionsJSON} and
 * {@code PublicKeyCredentialRequestOptionsJSON}).
 */
public final class PasskeyOptions {
  private PasskeyOptions() {}

  /**
   * The options to sign with a passkey.
   *
   * @param challenge the bytes to sign, in base64url
   * @param credentials the permitted passkeys; empty for any
   */
  public static ObjectNode toSign(String challenge, String relyingParty, List<String> credentials) {
    ObjectNode options =
        Json.object()
            .put("challenge", challenge)
            .put("rpId", relyingParty)
            .put("userVerification", "required");
    list(options, "allowCredentials", credentials);
    return options;
  }

  /** The options to create a passkey for a person. */
  static ObjectNode toMake(String challenge, String relyingParty, Person person) {
    ObjectNode options = Json.object().put("challenge", challenge);
    options.putObject("rp").put("id", relyingParty).put("name", "Action governance");
    options
        .putObject("user")
        .put("id", handle(person))
        .put("name", person.email() == null ? person.name() : person.email())
        .put("displayName", person.name());
    ArrayNode algorithms = options.putArray("pubKeyCredParams");
    Webauthn.ALGORITHMS.forEach(
        number -> algorithms.addObject().put("type", "public-key").put("alg", number));
    options
        .putObject("authenticatorSelection")
        .put("residentKey", "required")
        .put("requireResidentKey", true)
        .put("userVerification", "required");
    options.put("attestation", "none");
    list(
        options,
        "excludeCredentials",
        person.passkeys().stream().map(Passkey::credentialId).toList());
    return options;
  }

  /** Identifies the person to authenticators without revealing anything about them. */
  private static String handle(Person person) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(person.id().value().getBytes(StandardCharsets.UTF_8));
  }

  private static void list(ObjectNode options, String name, List<String> credentials) {
    ArrayNode all = options.putArray(name);
    credentials.forEach(id -> all.addObject().put("type", "public-key").put("id", id));
  }
}
