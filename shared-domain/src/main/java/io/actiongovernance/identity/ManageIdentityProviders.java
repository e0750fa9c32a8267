package io.actiongovernance.identity;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Given;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and deletes identity providers (contract for people, section 1). One transaction
 * writes a provider, its place as the only one of its mode, and the receipt of the change. The
 * place decides whose statements about people count. Thread-safe.
 */
public final class ManageIdentityProviders {
  private static final String SECRET = "client_secret";

  private static final Refusal ONLY_ONE =
      new Refusal.Conflict("The tenant already has an identity provider in this mode.");
  private static final Refusal PINNED =
      new Refusal.BeyondKey(
          "The key is pinned to a workspace, but the identity provider belongs to the whole tenant.");
  private static final Refusal SECRET_OF_ANOTHER =
      new Refusal.Missing(
          SECRET,
          "client_secret is required if issuer changes: the stored secret is never sent to another issuer.");

  private final IdentityProviders providers;
  private final Issuers issuers;
  private final ProviderRules rules;
  private final Transactions transactions;
  private final Terms terms;
  private final InstantSource clock;

  /**
   * The deployment's dependencies.
   *
   * @param form the published form of a provider, whose hash receipts contain
   */
  public record Terms(
      IssuerClient client,
      BiPredicate<Partition, OperatorId> isOperator,
      Sealer sealer,
      PublicForm<IdentityProvider> form) {}

  public ManageIdentityProviders(
      IdentityProviders providers,
      Issuers issuers,
      Transactions transactions,
      Terms terms,
      InstantSource clock) {
    this.providers = providers;
    this.issuers = issuers;
    this.rules = new ProviderRules(terms.client()::problem, terms.isOperator());
    this.transactions = transactions;
    this.terms = terms;
    this.clock = clock;
  }

  /** Returns the client's secret; empty for a client without a secret. */
  static Optional<String> secret(Sealer sealer, IdentityProvider provider) {
    return Optional.ofNullable(provider.sealedSecret())
        .map(
            text ->
                sealer
                    .open(
                        provider.partition(),
                        Sealer.Purpose.CREDENTIALS,
                        provider.id().value(),
                        text)
                    .map(bytes -> new String(bytes, UTF_8))
                    .orElseThrow(
                        () -> new IllegalStateException("A client secret cannot be opened.")));
  }

  private String seal(Partition partition, IdentityProviderId id, String secret) {
    rules.checkSecret(secret);
    return terms
        .sealer()
        .seal(partition, Sealer.Purpose.CREDENTIALS, id.value(), secret.getBytes(UTF_8));
  }

  /**
   * Creates a provider.
   *
   * @param id the identifier minted for the request. A request that failed midway and is sent again
   *     finds the provider it created
   */
  public Outcome<IdentityProvider> create(
      Caller caller, IdentityProviderId id, NewIdentityProvider wanted) {
    if (!caller.sees(null)) {
      return Outcome.refused(PINNED);
    }
    Instant now = now();
    String secret = wanted.clientSecret();
    IdentityProvider provider =
        new IdentityProvider(
            id,
            caller.partition(),
            wanted.issuer(),
            wanted.clientId(),
            secret == null ? null : seal(caller.partition(), id, secret),
            wanted.scopes(),
            wanted.groupsClaim(),
            wanted.roleBindings(),
            wanted.roleBindings().stream().map(_ -> 1L).toList(),
            wanted.agentClients(),
            1,
            1,
            now,
            now);
    rules.check(provider);
    Optional<IdentityProvider> there = providers.of(caller.partition());
    if (there.isPresent()) {
      return there.get().id().equals(id) ? Outcome.done(there.get()) : Outcome.refused(ONLY_ONE);
    }
    return issuers.discover(provider.issuer()).then(issuer -> insert(caller, provider, issuer));
  }

  private Outcome<IdentityProvider> insert(
      Caller caller, IdentityProvider provider, Issuer issuer) {
    String request = provider.id().value().substring(IdentityProviderId.PREFIX.length());
    Store.Transacted made =
        transactions.run(
            List.of(
                Write.insert(IdentityProviderItems.item(provider)),
                Write.insert(IdentityProviderItems.slot(provider)),
                Issuers.keep(provider, issuer),
                receipt(null, provider, caller, request).orElseThrow()));
    if (!(made instanceof Store.Transacted.Refused refused)) {
      return Outcome.done(provider);
    }
    return refused
        .of(0)
        .flatMap(Store.Refusal::found)
        .map(IdentityProviderItems::read)
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(ONLY_ONE));
  }

  /**
   * Changes a provider.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<IdentityProvider> change(
      Caller caller, IdentityProviderId id, IdentityProviderChange change, String request) {
    return Transactions.change(
        "identity provider",
        () ->
            switch (providers.retrieve(caller, id)) {
              case Refused<IdentityProvider> refused -> Optional.of(refused);
              case Done<IdentityProvider>(IdentityProvider before) ->
                  changed(caller, before, change, request);
            });
  }

  /** Writes the change; empty if another request has changed the provider since it was read. */
  private Optional<Outcome<IdentityProvider>> changed(
      Caller caller, IdentityProvider before, IdentityProviderChange change, String request) {
    IdentityProvider after = with(before, change);
    rules.check(after);
    boolean moves = !after.issuer().equals(before.issuer());
    if (moves && before.sealedSecret() != null && !change.clientSecret().isSaid()) {
      return Optional.of(Outcome.refused(SECRET_OF_ANOTHER));
    }
    Optional<Write> receipt = receipt(before, after, caller, request);
    if (receipt.isEmpty()) {
      return Optional.of(Outcome.done(before));
    }
    List<Write> writes = new ArrayList<>();
    writes.add(
        Write.put(
            IdentityProviderItems.item(after),
            Condition.equal(IdentityProviderItems.VERSION, before.version())));
    writes.add(receipt.get());
    writes.add(
        Write.put(
            IdentityProviderItems.slot(after),
            Condition.equal(IdentityProviderItems.ID, before.id().value())));
    if (moves) {
      switch (issuers.discover(after.issuer())) {
        case Refused<Issuer>(Refusal refusal) -> {
          return Optional.of(Outcome.refused(refusal));
        }
        case Done<Issuer>(Issuer issuer) -> writes.add(Issuers.keep(after, issuer));
      }
    }
    if (!(transactions.run(writes) instanceof Store.Transacted.Refused refused)) {
      return Optional.of(Outcome.done(after));
    }
    // If its receipt exists, this request already made the change, and other requests may have
    // changed the provider since.
    return refused.of(1).isPresent() ? Optional.of(Outcome.done(before)) : Optional.empty();
  }

  private IdentityProvider with(IdentityProvider before, IdentityProviderChange change) {
    List<GroupBinding> roleBindings = orKeep(change.roleBindings(), before.roleBindings());
    return new IdentityProvider(
        before.id(),
        before.partition(),
        orKeep(change.issuer(), before.issuer()),
        orKeep(change.clientId(), before.clientId()),
        switch (change.clientSecret()) {
          case Given.Absent<String> _ -> before.sealedSecret();
          case Given.Null<String> _ -> null;
          case Given.Value<String>(String secret) -> sealedAnew(before, secret);
        },
        orKeep(change.scopes(), before.scopes()),
        orKeep(change.groupsClaim(), before.groupsClaim()),
        roleBindings,
        before.boundSince(roleBindings, before.version() + 1),
        orKeep(change.agentClients(), before.agentClients()),
        before.version() + 1,
        hearsAnew(before, change) ? before.version() + 1 : before.heardSince(),
        before.createdAt(),
        now());
  }

  /**
   * Returns whether earlier statements came from another issuer, were made to another client, or
   * used another claim.
   */
  private static boolean hearsAnew(IdentityProvider before, IdentityProviderChange change) {
    return !orKeep(change.issuer(), before.issuer()).equals(before.issuer())
        || !orKeep(change.clientId(), before.clientId()).equals(before.clientId())
        || !orKeep(change.groupsClaim(), before.groupsClaim()).equals(before.groupsClaim());
  }

  /** Sending the same secret is no change. */
  private @Nullable String sealedAnew(IdentityProvider before, String secret) {
    return secret(terms.sealer(), before).filter(secret::equals).isPresent()
        ? before.sealedSecret()
        : seal(before.partition(), before.id(), secret);
  }

  private static <T> T orKeep(@Nullable T said, T before) {
    return said == null ? before : said;
  }

  /**
   * Deletes a provider. Its statements about people no longer count, and their sessions end. People
   * keep their identity, even if the same issuer is configured again.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<IdentityProviderId> delete(Caller caller, IdentityProviderId id, String request) {
    return Transactions.change(
        "identity provider",
        () ->
            switch (providers.retrieve(caller, id)) {
              case Refused<IdentityProvider>(Refusal refusal) ->
                  Optional.of(Outcome.refused(refusal));
              case Done<IdentityProvider>(IdentityProvider provider) ->
                  transactions.run(deleting(caller, provider, request)).done()
                      ? Optional.of(Outcome.done(id))
                      : Optional.empty();
            });
  }

  private List<Write> deleting(Caller caller, IdentityProvider provider, String request) {
    return List.of(
        Write.delete(
            IdentityProviderItems.key(provider.id()),
            Condition.equal(IdentityProviderItems.VERSION, provider.version())),
        Write.delete(
            IdentityProviderItems.slot(provider.partition()),
            Condition.equal(IdentityProviderItems.ID, provider.id().value())),
        Write.delete(IdentityProviderItems.issuer(provider.id()), Condition.always()),
        receipt(provider, null, caller, request).orElseThrow());
  }

  private Optional<Write> receipt(
      @Nullable IdentityProvider before,
      @Nullable IdentityProvider after,
      Caller caller,
      String request) {
    IdentityProvider either = Objects.requireNonNull(after == null ? before : after);
    boolean secret =
        before != null
            && after != null
            && !Objects.equals(before.sealedSecret(), after.sealedSecret());
    return new ConfigChange(
            ConfigChange.Target.IDENTITY_PROVIDER,
            either.id().value(),
            either.partition(),
            null,
            form(before),
            form(after),
            secret ? Set.of(SECRET) : Set.of())
        .receipt(caller, request, now());
  }

  private @Nullable ObjectNode form(@Nullable IdentityProvider provider) {
    return provider == null ? null : terms.form().of(provider);
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
