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
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Attestations;
import io.actiongovernance.people.Passkey;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Judges what authenticators make and sign by the rules of WebAuthn, for the service's own base URL
 * alone. The library is loaded when something is judged first: routes that judge nothing do not pay
 * for it. Thread-safe.
 */
public final class Webauthn implements Assertions, Attestations {
  /** What a passkey may sign with, the best first, as COSE numbers it: ES256, EdDSA, RS256. */
  public static final List<Integer> ALGORITHMS = List.of(-7, -8, -257);

  private final URI baseUrl;

  public Webauthn(URI baseUrl) {
    this.baseUrl = baseUrl;
  }

  /** The library, once something is judged. */
  private static final class Library {
    static final ObjectConverter CONVERTER = new ObjectConverter();

    /** Which make of authenticator it is, nobody attests: statements are not looked at. */
    static final WebAuthnManager MANAGER =
        WebAuthnManager.createNonStrictWebAuthnManager(CONVERTER);

    private Library() {}
  }

  @Override
  public String relyingParty() {
    return baseUrl.getHost();
  }

  @Override
  public Optional<String> fault(Passkey passkey, byte[] challenge, Assertion assertion) {
    try {
      Library.MANAGER.verify(
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
        Library.CONVERTER.getCborConverter().readValue(bytes(passkey.publicKey()), COSEKey.class));
  }

  @Override
  public String publicKeyInfo(Passkey passkey) {
    return text(Objects.requireNonNull(key(passkey).getPublicKey()).getEncoded());
  }

  @Override
  public Outcome<Attested> attested(byte[] challenge, Attestation attestation) {
    try {
      RegistrationData judged =
          Library.MANAGER.verify(
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
          new Attested(
              text(made.getCredentialId()),
              text(Library.CONVERTER.getCborConverter().writeValueAsBytes(made.getCOSEKey())),
              made.getAaguid().toString()));
    } catch (VerificationException | DataConversionException | IllegalArgumentException e) {
      return Outcome.refused(new Refusal.SignatureInvalid(sentence(e)));
    }
  }

  private static List<PublicKeyCredentialParameters> algorithms() {
    return ALGORITHMS.stream()
        .map(
            number ->
                new PublicKeyCredentialParameters(
                    PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(number)))
        .toList();
  }

  /**
   * The library takes for one origin what a browser would never say of one page: here it is the
   * very text. A page that another has in a frame may not have its reader sign.
   */
  private Optional<String> elsewhere(String clientData) {
    JsonNode said = Json.read(new String(bytes(clientData), StandardCharsets.UTF_8));
    if (said.path("crossOrigin").asBoolean() || said.has("topOrigin")) {
      return Optional.of("It was signed in a frame of another page.");
    }
    return said.path("origin").asText().equals(origin())
        ? Optional.empty()
        : Optional.of("It was signed on a page of another origin.");
  }

  private ServerProperty server(byte[] challenge) {
    return ServerProperty.builder()
        .origin(new Origin(origin()))
        .rpId(relyingParty())
        .challenge(new DefaultChallenge(challenge))
        .build();
  }

  private String origin() {
    String port = baseUrl.getPort() < 0 ? "" : ":" + baseUrl.getPort();
    return baseUrl.getScheme() + "://" + baseUrl.getHost() + port;
  }

  /** What it was, without what the request said: of the library's words, the kind alone. */
  private static String sentence(RuntimeException fault) {
    String kind = fault.getClass().getSimpleName().replaceAll("Exception$", "");
    return "What was signed does not hold: " + kind + ".";
  }

  private static byte[] bytes(String text) {
    return Base64.getUrlDecoder().decode(text);
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
