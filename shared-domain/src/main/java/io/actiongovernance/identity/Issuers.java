package io.actiongovernance.identity;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Metadata and keys of issuers, fetched and kept for each provider for an hour. If a token names an
 * unknown key, they are fetched again, but at most once a minute for each provider. Thread-safe.
 */
public final class Issuers {
  private static final Duration FRESH = Duration.ofHours(1);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** Maximum length of a key set in characters; a row must be able to hold it. */
  private static final int LONGEST_KEYS = 100_000;

  private final Store store;
  private final IssuerClient client;
  private final InstantSource clock;

  public Issuers(Store store, IssuerClient client, InstantSource clock) {
    this.store = store;
    this.client = client;
    this.clock = clock;
  }

  /** Fetches an issuer that is being configured. A failure is reported for the field. */
  Outcome<Issuer> discover(String issuer) {
    return fetch(issuer);
  }

  /** Returns the provider's issuer, as kept or as fetched now. */
  Outcome<Issuer> of(IdentityProvider provider) {
    Optional<Issuer> kept = kept(provider);
    return kept.filter(issuer -> isYounger(issuer, FRESH))
        .map(Outcome::done)
        .orElseGet(() -> fetchToKeep(provider));
  }

  /**
   * Fetches the issuer again because a key or other value was unknown, unless it was just fetched.
   */
  Outcome<Issuer> again(IdentityProvider provider, Issuer known) {
    return isYounger(known, PAUSE) ? Outcome.done(known) : fetchToKeep(provider);
  }

  /** Returns the write that keeps the fetched issuer, for the provider's own transaction. */
  static Write keep(IdentityProvider provider, Issuer issuer) {
    return Write.put(IdentityProviderItems.issuer(provider.id(), issuer), Condition.always());
  }

  private Optional<Issuer> kept(IdentityProvider provider) {
    return store
        .get(IdentityProviderItems.issuer(provider.id()))
        .map(IdentityProviderItems::issuer)
        .filter(issuer -> issuer.metadata().issuer().equals(provider.issuer()));
  }

  private boolean isYounger(Issuer issuer, Duration age) {
    return clock.instant().isBefore(issuer.fetchedAt().plus(age));
  }

  private Outcome<Issuer> fetchToKeep(IdentityProvider provider) {
    return switch (fetch(provider.issuer())) {
      case Done<Issuer>(Issuer issuer) -> {
        store.write(keep(provider, issuer));
        yield Outcome.done(issuer);
      }
      // The person who signs in sent nothing that they could correct.
      case Refused<Issuer>(Refusal refusal) ->
          Outcome.refused(new Refusal.UpstreamFailed(refusal.sentence()));
    };
  }

  private Outcome<Issuer> fetch(String issuer) {
    return switch (client.get(IssuerMetadata.url(issuer))) {
      case IssuerClient.Answer.Failed(String why) ->
          failed("the request for its metadata failed: " + why);
      case IssuerClient.Answer.Response told when !told.isSuccess() || !told.body().isObject() ->
          failed("it answered " + told.status() + " without metadata");
      case IssuerClient.Answer.Response told ->
          switch (IssuerMetadata.read(told.body(), issuer, client::problem)) {
            case IssuerMetadata.Reading.Wrong(String why) ->
                Outcome.refused(
                    new Refusal.Invalid("issuer", "The issuer is not accepted: " + why + "."));
            case IssuerMetadata.Reading.Read(IssuerMetadata metadata) -> withKeys(metadata);
          };
    };
  }

  private Outcome<Issuer> withKeys(IssuerMetadata metadata) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return switch (client.get(metadata.jwksUri())) {
      case IssuerClient.Answer.Failed(String why) ->
          failed("the request for its keys failed: " + why);
      case IssuerClient.Answer.Response(int status, JsonNode body) -> {
        String keys = Json.write(body);
        yield SignedTokens.keys(body).isEmpty() || keys.length() > LONGEST_KEYS
            ? failed("it answered " + status + " without keys that this service accepts")
            : Outcome.done(new Issuer(metadata, keys, now));
      }
    };
  }

  private static <T> Outcome<T> failed(String why) {
    return Outcome.refused(new Refusal.UpstreamFailed("The issuer failed: " + why + "."));
  }
}
