package io.actiongovernance.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.IssuerPeople;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.session.Session;
import io.actiongovernance.session.Sessions;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Signs people in at their issuer (contract for people, section 1): authorisation codes with PKCE
 * and a nonce (OpenID Connect Core 1.0; RFC 7636, RFC 9207). Thread-safe.
 */
public final class SignIns {
  /** How long a sign-in may take, from its beginning to the browser's return. */
  public static final Duration LONGEST = Duration.ofMinutes(10);

  private static final int MOST_TRIES = 8;

  private final IdentityProviders providers;
  private final Issuers issuers;
  private final IssuerClient client;
  private final IdTokens tokens;
  private final Kept kept;
  private final Terms terms;

  /** What is kept, and how. */
  public record Kept(Store store, Transactions transactions, People people, Sessions sessions) {}

  /**
   * What the deployment brings.
   *
   * @param redirectUri where an issuer sends browsers back to
   * @param random not to be foreseen
   */
  public record Terms(
      Sealer sealer,
      IssuerPeople issuerPeople,
      Function<IdentityProviderId, URI> redirectUri,
      InstantSource clock,
      RandomGenerator random) {}

  public SignIns(
      IdentityProviders providers, Issuers issuers, IssuerClient client, Kept kept, Terms terms) {
    this.providers = providers;
    this.issuers = issuers;
    this.client = client;
    this.tokens = new IdTokens(issuers, terms.clock());
    this.kept = kept;
    this.terms = terms;
  }

  /**
   * What a browser asks for.
   *
   * @param to a page of the service
   * @param maxAge seconds that the sign-in at the issuer may be old; null for any
   */
  public record Asked(@Nullable String workspaceId, String to, @Nullable Integer maxAge) {}

  /**
   * A sign-in that has begun.
   *
   * @param url of the issuer, for the browser
   * @param browser what the browser is to show when it is back
   */
  public record Begun(URI url, String browser) {}

  /**
   * Begins a sign-in.
   *
   * @param shown what the browser shows of an earlier one, or null
   */
  public Outcome<Begun> begin(IdentityProviderId id, Asked asked, @Nullable String shown) {
    Optional<IdentityProvider> provider = providers.find(id);
    return provider.isEmpty()
        ? Outcome.refused(IdentityProviders.NOT_FOUND)
        : issuers
            .of(provider.get())
            .then(issuer -> Outcome.done(begun(provider.get(), issuer, asked, shown)));
  }

  private Begun begun(
      IdentityProvider provider, Issuer issuer, Asked asked, @Nullable String shown) {
    String browser =
        shown != null && SignInState.isDrawn(shown) ? shown : SignInState.drawn(terms.random());
    SignInState state =
        new SignInState(
            provider.id(),
            SignInState.hash(browser),
            SignInState.drawn(terms.random()),
            SignInState.drawn(terms.random()),
            asked.workspaceId(),
            asked.to(),
            asked.maxAge(),
            terms.clock().instant().plus(LONGEST).truncatedTo(ChronoUnit.MILLIS));
    Map<String, String> query = new TreeMap<>();
    query.put("response_type", "code");
    query.put("client_id", provider.clientId());
    query.put("redirect_uri", terms.redirectUri().apply(provider.id()).toString());
    query.put("scope", String.join(" ", provider.scopes()));
    query.put("state", state.sealed(terms.sealer()));
    query.put("nonce", state.nonce());
    query.put("code_challenge", SignInState.hash(state.verifier()));
    query.put("code_challenge_method", "S256");
    if (asked.maxAge() != null) {
      query.put("max_age", asked.maxAge().toString());
    }
    return new Begun(with(issuer.metadata().authorizationEndpoint(), query), browser);
  }

  private static URI with(URI url, Map<String, String> query) {
    String joined =
        query.entrySet().stream()
            .map(one -> one.getKey() + "=" + URLEncoder.encode(one.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    return URI.create(url + (url.getRawQuery() == null ? "?" : "&") + joined);
  }

  /**
   * What a browser brings back.
   *
   * @param code null when it brings an error
   * @param iss the issuer as it names itself (RFC 9207), or null
   * @param shown what the browser shows of its sign-ins, or null
   */
  public record Back(
      String state,
      @Nullable String code,
      @Nullable String error,
      @Nullable String iss,
      @Nullable String shown) {}

  /** Somebody who is signed in, and the page that was asked for. */
  public record SignedIn(Sessions.Beginning session, String to) {}

  /** The browser is back: whoever it is of is signed in, or nothing of them is kept. */
  public Outcome<SignedIn> complete(
      IdentityProviderId id, Back back, io.actiongovernance.id.RequestId requestId, String minted) {
    Optional<IdentityProvider> found = providers.find(id);
    if (found.isEmpty()) {
      return Outcome.refused(IdentityProviders.NOT_FOUND);
    }
    IdentityProvider provider = found.get();
    return state(provider, back)
        .then(
            state ->
                issuers
                    .of(provider)
                    .then(issuer -> token(provider, issuer, state, back))
                    .then(claims -> SaidOfPerson.of(claims, provider))
                    .then(
                        said ->
                            signedIn(
                                provider,
                                said,
                                state,
                                new IssuerPeople.By(requestId, minted, now()))));
  }

  private Outcome<SignInState> state(IdentityProvider provider, Back back) {
    SignInState state = SignInState.open(back.state(), terms.sealer()).orElse(null);
    if (state == null || !state.provider().equals(provider.id())) {
      return invalid("state", "state is none that was made here for this provider.");
    }
    if (!now().isBefore(state.expiresAt())) {
      return invalid("state", "state has expired: sign in anew.");
    }
    String shown = back.shown();
    return shown != null && SignInState.hash(shown).equals(state.browser())
        ? Outcome.done(state)
        : invalid("state", "state is of another browser.");
  }

  private Outcome<JWTClaimsSet> token(
      IdentityProvider provider, Issuer issuer, SignInState state, Back back) {
    boolean fits =
        back.iss() == null
            ? !issuer.metadata().announcesIss()
            : back.iss().equals(provider.issuer());
    if (!fits) {
      return invalid("iss", "iss must name the issuer, as its metadata announces.");
    }
    if (!kept.store()
        .write(Write.insert(IdentityProviderItems.used(back.state(), state.expiresAt())))
        .done()) {
      return invalid("state", "state was used before: sign in anew.");
    }
    String code = back.code();
    if (code == null) {
      return refused("the issuer refused: " + legible(back.error()));
    }
    return exchange(provider, issuer, state, code)
        .then(token -> tokens.claims(provider, issuer, token, state));
  }

  private Outcome<String> exchange(
      IdentityProvider provider, Issuer issuer, SignInState state, String code) {
    Map<String, String> form = new TreeMap<>();
    form.put("grant_type", "authorization_code");
    form.put("code", code);
    form.put("redirect_uri", terms.redirectUri().apply(provider.id()).toString());
    form.put("code_verifier", state.verifier());
    Optional<String> secret = ManageIdentityProviders.secret(terms.sealer(), provider);
    boolean inHeader = secret.isPresent() && issuer.metadata().secretInHeader();
    if (!inHeader) {
      form.put("client_id", provider.clientId());
      secret.ifPresent(one -> form.put("client_secret", one));
    }
    String authorization = inHeader ? basic(provider.clientId(), secret.get()) : null;
    return switch (client.post(issuer.metadata().tokenEndpoint(), authorization, form)) {
      case IssuerClient.Answer.Failed(String why) ->
          Outcome.refused(new Refusal.UpstreamFailed("The issuer failed: " + why + "."));
      case IssuerClient.Answer.Told told when told.status() >= 500 ->
          Outcome.refused(
              new Refusal.UpstreamFailed("The issuer failed: it answered " + told.status() + "."));
      case IssuerClient.Answer.Told told when !told.isSuccess() ->
          refused("the issuer refused the code: " + legible(told.body().path("error").asText()));
      case IssuerClient.Answer.Told told when !told.body().path("id_token").isTextual() ->
          refused("the issuer answered without an ID token");
      case IssuerClient.Answer.Told told -> Outcome.done(told.body().path("id_token").asText());
    };
  }

  /** Both are form-encoded first (RFC 6749, section 2.3.1). */
  private static String basic(String clientId, String secret) {
    String both =
        URLEncoder.encode(clientId, StandardCharsets.UTF_8)
            + ":"
            + URLEncoder.encode(secret, StandardCharsets.UTF_8);
    return "Basic "
        + java.util.Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
  }

  private Outcome<SignedIn> signedIn(
      IdentityProvider provider, IssuerPeople.Said said, SignInState state, IssuerPeople.By by) {
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      Person before =
          kept.people()
              .of(provider.partition(), said.identity().issuer(), said.identity().subject())
              .orElse(null);
      if (before != null && !before.isActive()) {
        return Outcome.refused(new Refusal.BeyondKey("Whoever this is, is suspended here."));
      }
      boolean fits =
          said.bindings().stream()
              .anyMatch(
                  one ->
                      one.workspaceId() == null || one.workspaceId().equals(state.workspaceId()));
      if (before == null && !fits) {
        return noRole(provider, said, state);
      }
      IssuerPeople.Draft draft =
          before == null
              ? terms.issuerPeople().made(provider.partition(), said, by)
              : terms.issuerPeople().changed(before, said, fits, by);
      Sessions.Beginning session =
          kept.sessions()
              .begin(
                  new SessionId(SessionId.PREFIX + by.minted()),
                  provider.partition(),
                  draft.person().principal(),
                  Session.Method.ISSUER,
                  state.workspaceId(),
                  null);
      List<Write> writes = new ArrayList<>(draft.writes());
      if (fits) {
        writes.add(session.write());
      }
      // Refused means that they have changed, or were made, meanwhile: what is stored now tells.
      if (writes.isEmpty() || kept.transactions().run(writes).done()) {
        return fits
            ? Outcome.done(new SignedIn(session, state.to()))
            : noRole(provider, said, state);
      }
    }
    throw new StoreUnavailable(
        "Whoever signs in changed " + MOST_TRIES + " times meanwhile.", null);
  }

  private static <T> Outcome<T> noRole(
      IdentityProvider provider, IssuerPeople.Said said, SignInState state) {
    String where = state.workspaceId() == null ? "" : " in the workspace " + state.workspaceId();
    return Outcome.refused(
        new Refusal.BeyondKey(
            "No role binding fits"
                + where
                + ": the claim %s names %s."
                    .formatted(
                        provider.groupsClaim(),
                        said.groups().isEmpty() ? "no group" : said.groups().size() + " groups")));
  }

  private Instant now() {
    return terms.clock().instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static <T> Outcome<T> invalid(String path, String sentence) {
    return Outcome.refused(new Refusal.Invalid(path, sentence));
  }

  private static <T> Outcome<T> refused(String why) {
    return Outcome.refused(new Refusal.AuthFailed("Nobody is signed in: " + why + "."));
  }

  /** What came from outside may be anything: an error's name has these characters. */
  private static String legible(@Nullable String error) {
    return error != null && error.matches("[a-zA-Z0-9_.-]{1,100}") ? error : "no reason was given";
  }
}
