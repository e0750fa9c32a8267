package io.actiongovernance.functions.webauthn;

import com.fasterxml.jackson.databind.JsonNode;
import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.converter.exception.DataConversionException;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.AuthenticationRequest;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.RegistrationRequest;
import com.webauthn4j.data.attestation.authenticator.AAGUID;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.COSEKey;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.attestation.statement.NoneAttestationStatement;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import com.webauthn4j.verifier.exception.VerificationException;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Attestations;
import io.actiongovernance.people.Passkey;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The calls to the library for {@link Webauthn}. Loading this class loads much of the library, even
 * if only to verify the bytecode. Immutable.
 *
 * @param baseUrl the base URL of the service
 */
record WebauthnLibrary(URI baseUrl) {
  private static final ObjectConverter CONVERTER = new ObjectConverter();

  /**
   * Attestation statements are not verified, because no attestation of the authenticator's model is
   * asked for.
   */
  private static final WebAuthnManager MANAGER =
      WebAuthnManager.createNonStrictWebAuthnManager(CONVERTER);

  Optional<String> fault(Passkey passkey, byte[] challenge, Assertion assertion) {
    try {
      MANAGER.verify(
          new AuthenticationRequest(
              bytes(assertion.credentialId()),
              bytes(assertion.authenticatorData()),
              bytes(assertion.clientData()),
              bytes(assertion.signature())),
          new AuthenticationParameters(
              server(challenge), record(passkey), List.of(bytes(passkey.credentialId())), true));
      return elsewhere(assertion.clientData());
    } catch (VerificationException | DataConversionException | IllegalArgumentException e) {
      return Optional.of(sentence(e));
    }
  }

  private static CredentialRecordImpl record(Passkey passkey) {
    return new CredentialRecordImpl(
        new NoneAttestationStatement(),
        null,
        null,
        null,
        0,
        new AttestedCredentialData(
            new AAGUID(passkey.aaguid()), bytes(passkey.credentialId()), key(passkey)),
        null,
        null,
        null,
        null);
  }

  private static COSEKey key(Passkey passkey) {
    return Objects.requireNonNull(
        CONVERTER.getCborConverter().readValue(bytes(passkey.publicKey()), COSEKey.class));
  }

  String publicKeyInfo(Passkey passkey) {
    return text(Objects.requireNonNull(key(passkey).getPublicKey()).getEncoded());
  }

  Outcome<Attestations.Attested> attested(byte[] challenge, Attestations.Attestation attestation) {
    try {
      RegistrationData judged =
          MANAGER.verify(
              new RegistrationRequest(
                  bytes(attestation.attestation()), bytes(attestation.clientData())),
              new RegistrationParameters(server(challenge), algorithms(), true));
      Optional<String> elsewhere = elsewhere(attestation.clientData());
      if (elsewhere.isPresent()) {
        return Outcome.refused(new Refusal.SignatureInvalid(elsewhere.get()));
      }
      AttestedCredentialData made =
          Objects.requireNonNull(
              Objects.requireNonNull(judged.getAttestationObject())
                  .getAuthenticatorData()
                  .getAttestedCredentialData());
      return Outcome.done(
          new Attestations.Attested(
              text(made.getCredentialId()),
              text(CONVERTER.getCborConverter().writeValueAsBytes(made.getCOSEKey())),
              made.getAaguid().toString()));
    } catch (VerificationException | DataConversionException | IllegalArgumentException e) {
      return Outcome.refused(new Refusal.SignatureInvalid(sentence(e)));
    }
  }

  private static List<PublicKeyCredentialParameters> algorithms() {
    return Webauthn.ALGORITHMS.stream()
        .map(
            number ->
                new PublicKeyCredentialParameters(
                    PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(number)))
        .toList();
  }

  /**
   * Returns the reason if the signature was made elsewhere than on a page of this origin. The
   * library accepts origins that a browser would never report for such a page; this method requires
   * the exact text. It also refuses a page in a frame of another site.
   */
  private Optional<String> elsewhere(String clientData) {
    JsonNode said = Json.read(new String(bytes(clientData), StandardCharsets.UTF_8));
    if (said.path("crossOrigin").asBoolean() || said.has("topOrigin")) {
      return Optional.of("The signature was made in a frame of another page.");
    }
    return said.path("origin").asText().equals(origin())
        ? Optional.empty()
        : Optional.of("The signature was made on a page of another origin.");
  }

  private ServerProperty server(byte[] challenge) {
    return ServerProperty.builder()
        .origin(new Origin(origin()))
        .rpId(baseUrl.getHost())
        .challenge(new DefaultChallenge(challenge))
        .build();
  }

  private String origin() {
    String port = baseUrl.getPort() < 0 ? "" : ":" + baseUrl.getPort();
    return baseUrl.getScheme() + "://" + baseUrl.getHost() + port;
  }

  /**
   * Describes only the kind of the library's exception, such as {@code bad challenge}, so that it
   * repeats nothing of the request.
   */
  private static String sentence(RuntimeException fault) {
    String kind = fault.getClass().getSimpleName().replaceAll("Exception$", "");
    String words = kind.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    return "The passkey's answer is not valid: " + words + ".";
  }

  private static byte[] bytes(String text) {
    return Base64.getUrlDecoder().decode(text);
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
