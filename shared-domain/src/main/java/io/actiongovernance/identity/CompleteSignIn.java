package io.actiongovernance.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.IssuerPeople;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.session.BegunBy;
import io.actiongovernance.session.Session;
import io.actiongovernance.session.Sessions;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Signs in a person who comes back from the issuer (contract for people, section 1). The browser's
 * state must belong to a sign-in that this browser began here, at this provider, and may be used
 * once. The code is exchanged and the ID token judged. One transaction then updates the person by
 * the claims and begins their session. If the person has no matching role, nothing about them is
 * kept, but a known person loses the roles they no longer have. Thread-safe.
 */
public final class CompleteSignIn {
  private static final int MOST_TRIES = 8;

  private static final Refusal SUSPENDED =
      new Refusal.BeyondKey("You are suspended here. Ask an administrator.");

  private static final Refusal CHANGED =
      new Refusal.Conflict("The identity provider was changed meanwhile. Sign in again.");

  private final IdentityProviders providers;
  private final Issuers issuers;
  private final CodeExchange exchange;
  private final IdTokens tokens;
  private final Storage kept;
  private final IssuerPeople issuerPeople;
  private final SignInTerms terms;

  public record Storage(Store store, Transactions transactions, People people, Sessions sessions) {}

  public record Outside(IdentityProviders providers, Issuers issuers, IssuerClient client) {}

  public CompleteSignIn(
      Outside outside, Storage kept, IssuerPeople issuerPeople, SignInTerms terms) {
    this.providers = outside.providers();
    this.issuers = outside.issuers();
    this.exchange = new CodeExchange(outside.client(), terms);
    this.tokens = new IdTokens(outside.issuers(), terms.clock());
    this.kept = kept;
    this.issuerPeople = issuerPeople;
    this.terms = terms;
  }

  /**
   * A browser's return.
   *
   * @param code null if it brings an error
   * @param iss the issuer's own name (RFC 9207), or null
   * @param shown the browser's cookie value, or null
   */
  public record Back(
      String state,
      @Nullable String code,
      @Nullable String error,
      @Nullable String iss,
      @Nullable String shown) {}

  /** A signed-in person's session, and the page that they asked for. */
  public record SignedIn(Sessions.Beginning session, String to) {}

  /** Completes a sign-in. Either the person is signed in, or nothing about them is kept. */
  public Outcome<SignedIn> complete(
      IdentityProviderId id, Back back, RequestId requestId, String minted) {
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
                    .then(issuer -> claims(provider, issuer, state, back))
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
      return invalid("state", "state was not issued by this service for this provider.");
    }
    if (state.version() != provider.version()) {
      return Outcome.refused(CHANGED);
    }
    if (!now().isBefore(state.expiresAt())) {
      return invalid("state", "state has expired. Sign in again.");
    }
    String shown = back.shown();
    return shown != null && RandomText.sha256(shown).equals(state.browser())
        ? Outcome.done(state)
        : invalid("state", "state belongs to another browser. Sign in again.");
  }

  private Outcome<JWTClaimsSet> claims(
      IdentityProvider provider, Issuer issuer, SignInState state, Back back) {
    boolean fits =
        back.iss() == null
            ? !issuer.metadata().announcesIss()
            : back.iss().equals(provider.issuer());
    if (!fits) {
      return invalid("iss", "iss must name the issuer, as its metadata announces.");
    }
    // Opened before the state and the code are used, because both are single-use.
    Optional<String> secret = ManageIdentityProviders.secret(terms.sealer(), provider);
    if (!kept.store()
        .write(Write.insert(IdentityProviderItems.used(back.state(), state.expiresAt())))
        .done()) {
      return invalid("state", "state was used before. Sign in again.");
    }
    String code = back.code();
    return code == null
        ? CodeExchange.refused("the issuer says " + CodeExchange.legible(back.error()))
        : exchange
            .token(provider, secret, issuer.metadata(), state, code)
            .then(token -> tokens.claims(provider, issuer, token, state));
  }

  private Outcome<SignedIn> signedIn(
      IdentityProvider provider, IssuerPeople.Said said, SignInState state, IssuerPeople.By by) {
    boolean fits = said.bindings().stream().anyMatch(one -> one.countsIn(state.workspaceId()));
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      Person before =
          kept.people()
              .of(provider.partition(), said.identity().issuer(), said.identity().subject())
              .orElse(null);
      if (before != null && !before.isActive()) {
        return Outcome.refused(SUSPENDED);
      }
      if (before == null && !fits) {
        return noRole(provider, said, state);
      }
      IssuerPeople.Draft draft =
          before == null
              ? issuerPeople.made(provider.partition(), said, by)
              : issuerPeople.changed(before, said, fits, by);
      Sessions.Beginning session = session(provider, draft.person(), state, by);
      List<Write> writes = new ArrayList<>(draft.writes());
      if (fits) {
        writes.add(session.write());
      }
      if (writes.isEmpty()) {
        return noRole(provider, said, state);
      }
      writes.add(IdentityProviderItems.unchanged(provider));
      // A refusal means that the person has changed, or was created, since they were read: the
      // stored state decides.
      if (kept.transactions().run(writes).done()) {
        return fits
            ? Outcome.done(new SignedIn(session, state.to()))
            : noRole(provider, said, state);
      }
      if (isChanged(provider)) {
        return Outcome.refused(CHANGED);
      }
    }
    throw new StoreUnavailable(
        "The person who signs in changed " + MOST_TRIES + " times meanwhile.", null);
  }

  private Sessions.Beginning session(
      IdentityProvider provider, Person person, SignInState state, IssuerPeople.By by) {
    Integer maxAge = state.maxAge();
    boolean fresh = maxAge != null && maxAge <= Session.FRESH.toSeconds();
    return kept.sessions()
        .begin(
            new SessionId(SessionId.PREFIX + by.minted()),
            provider.partition(),
            person.principal(),
            BegunBy.issuer(fresh ? by.at().plus(Session.FRESH) : null),
            state.workspaceId());
  }

  private boolean isChanged(IdentityProvider provider) {
    return providers
        .find(provider.id())
        .filter(now -> now.version() == provider.version())
        .isEmpty();
  }

  private static <T> Outcome<T> noRole(
      IdentityProvider provider, IssuerPeople.Said said, SignInState state) {
    String where =
        state.workspaceId() == null
            ? " in the whole tenant"
            : " in the workspace " + state.workspaceId();
    String groups = said.groups().isEmpty() ? "no group" : said.groups().size() + " groups";
    return Outcome.refused(
        new Refusal.BeyondKey(
            "No role binding fits%s: the claim %s names %s."
                .formatted(where, provider.groupsClaim(), groups)));
  }

  private Instant now() {
    return terms.clock().instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static <T> Outcome<T> invalid(String path, String sentence) {
    return Outcome.refused(new Refusal.Invalid(path, sentence));
  }
}
