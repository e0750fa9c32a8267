package io.actiongovernance.identity;

import io.actiongovernance.access.RandomText;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.outcome.Outcome;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends browsers to the issuer of a provider (contract for people, section 1), for an authorisation
 * code, with PKCE by S256 and a nonce (OpenID Connect Core 1.0; RFC 7636). Stores nothing: the
 * state that the browser's return needs goes with the browser, sealed. Thread-safe.
 */
public final class BeginSignIn {
  private final IdentityProviders providers;
  private final Issuers issuers;
  private final SignInTerms terms;

  public BeginSignIn(IdentityProviders providers, Issuers issuers, SignInTerms terms) {
    this.providers = providers;
    this.issuers = issuers;
    this.terms = terms;
  }

  /**
   * A browser's request to sign in.
   *
   * @param workspaceId the workspace of the session; null for the whole tenant
   * @param to a page of the service, below its base URL
   * @param maxAge maximum age of the sign-in at the issuer, in seconds; null for any age
   */
  public record Asked(@Nullable String workspaceId, String to, @Nullable Integer maxAge) {}

  /**
   * A sign-in that has begun.
   *
   * @param browser the cookie value that the browser must present on its return
   */
  public record Redirect(URI url, String browser) {}

  /**
   * Begins a sign-in.
   *
   * @param shown the browser's cookie value from an earlier sign-in, or null; concurrent sign-ins
   *     may share it, because the sealed state distinguishes them
   */
  public Outcome<Redirect> begin(IdentityProviderId id, Asked asked, @Nullable String shown) {
    Optional<IdentityProvider> provider = providers.find(id);
    return provider.isEmpty()
        ? Outcome.refused(IdentityProviders.NOT_FOUND)
        : issuers.of(provider.get()).map(issuer -> begun(provider.get(), issuer, asked, shown));
  }

  private Redirect begun(
      IdentityProvider provider, Issuer issuer, Asked asked, @Nullable String shown) {
    String browser =
        shown != null && RandomText.isOne(shown) ? shown : RandomText.next(terms.random());
    SignInState state =
        new SignInState(
            provider.id(),
            provider.version(),
            RandomText.sha256(browser),
            RandomText.next(terms.random()),
            RandomText.next(terms.random()),
            asked.workspaceId(),
            asked.to(),
            asked.maxAge(),
            terms.clock().instant().plus(SignInTerms.LONGEST).truncatedTo(ChronoUnit.MILLIS));
    Map<String, String> query = new TreeMap<>();
    query.put("response_type", "code");
    query.put("client_id", provider.clientId());
    query.put("redirect_uri", terms.redirectUri().apply(provider.id()).toString());
    query.put("scope", String.join(" ", provider.scopes()));
    query.put("state", state.sealed(terms.sealer()));
    query.put("nonce", state.nonce());
    query.put("code_challenge", RandomText.sha256(state.verifier()));
    query.put("code_challenge_method", "S256");
    if (asked.maxAge() != null) {
      query.put("max_age", asked.maxAge().toString());
    }
    return new Redirect(with(issuer.metadata().authorizationEndpoint(), query), browser);
  }

  private static URI with(URI url, Map<String, String> query) {
    String joined =
        query.entrySet().stream()
            .map(
                one ->
                    one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    return URI.create(url + (url.getRawQuery() == null ? "?" : "&") + joined);
  }
}
