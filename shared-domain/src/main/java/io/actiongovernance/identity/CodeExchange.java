package io.actiongovernance.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges the browser's code for an ID token at the issuer's token endpoint (OpenID Connect Core
 * 1.0, section 3.1.3). Thread-safe.
 */
final class CodeExchange {
  private final IssuerClient client;
  private final SignInTerms terms;

  CodeExchange(IssuerClient client, SignInTerms terms) {
    this.client = client;
    this.terms = terms;
  }

  /**
   * Returns the ID token, unverified.
   *
   * @param secret the client's secret, if it has one
   */
  Outcome<String> token(
      IdentityProvider provider,
      Optional<String> secret,
      IssuerMetadata issuer,
      SignInState state,
      String code) {
    Map<String, String> form = new TreeMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", terms.redirectUri().apply(provider.id()).toString());
    form.put("code_verifier", state.verifier());
    boolean inHeader = secret.isPresent() && issuer.secretInHeader();
    if (!inHeader) {
      form.put("client_id", provider.clientId());
      secret.ifPresent(one -> form.put("client_secret", one));
    }
    String authorization = inHeader ? basic(provider.clientId(), secret.get()) : null;
    return read(client.post(issuer.tokenEndpoint(), authorization, form));
  }

  private static Outcome<String> read(IssuerClient.Answer answer) {
    return switch (answer) {
      case IssuerClient.Answer.Failed(String why) -> failed(why);
      case IssuerClient.Answer.Response told when told.status() >= 500 ->
          failed("it answered " + told.status());
      case IssuerClient.Answer.Response told when !told.isSuccess() ->
          refused("the issuer refused the code: " + legible(told.body().path("error").asText()));
      case IssuerClient.Answer.Response told when !told.body().path("id_token").isTextual() ->
          failed("it answered without an ID token");
      case IssuerClient.Answer.Response told -> Outcome.done(told.body().path("id_token").asText());
    };
  }

  /** Both parts are form-encoded first (RFC 6749, section 2.3.1). */
  private static String basic(String clientId, String secret) {
    String both = URLEncoder.encode(clientId, UTF_8) + ":" + URLEncoder.encode(secret, UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8));
  }

  private static <T> Outcome<T> failed(String why) {
    return Outcome.refused(new Refusal.UpstreamFailed("The issuer failed: " + why + "."));
  }

  /** Refuses a sign-in because of the issuer's answer. */
  static <T> Outcome<T> refused(String why) {
    return Outcome.refused(new Refusal.AuthFailed("You are not signed in: " + why + "."));
  }

  /**
   * Returns an error's name if it has only the permitted characters, because text from outside may
   * contain anything.
   */
  static String legible(@Nullable String error) {
    return error != null && error.matches("[a-zA-Z0-9_.-]{1,100}") ? error : "no reason was given";
  }
}
