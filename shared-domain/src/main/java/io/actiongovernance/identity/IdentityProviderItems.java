package io.actiongovernance.identity;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.people.StandingIssuer;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;

/**
 * Storage of identity providers. Each provider has one row by its identifier, because a browser
 * that begins to sign in knows nothing else. Each mode has one row that names its provider and
 * state. Another row has the last fetched metadata of the issuer.
 */
final class IdentityProviderItems {
  static final String VERSION = "version";
  static final String ID = StandingIssuer.ID;

  private static final String DOC = "doc";
  private static final String FETCHED = "fetched";

  private IdentityProviderItems() {}

  static Key key(IdentityProviderId id) {
    return Key.single(Table.STATE, "identity-provider#" + id.value());
  }

  static Item item(IdentityProvider provider) {
    return Item.at(key(provider.id()))
        .with("kind", "identity_provider")
        .with(ID, provider.id().value())
        .with("partition", provider.partition().key())
        .with(VERSION, provider.version())
        .with(DOC, Json.write(provider))
        .build();
  }

  /** Returns the write that makes a transaction fail unless the provider is as it was read. */
  static Write unchanged(IdentityProvider provider) {
    return Write.check(key(provider.id()), Condition.equal(VERSION, provider.version()));
  }

  static IdentityProvider read(Item item) {
    return Json.read(item.text(DOC), IdentityProvider.class);
  }

  /** Returns the key under which a mode names its provider. A mode has at most one. */
  static Key slot(Partition partition) {
    return StandingIssuer.key(partition);
  }

  static Item slot(IdentityProvider provider) {
    return provider.standing().item(provider.partition());
  }

  static Key issuer(IdentityProviderId id) {
    return Key.single(Table.STATE, "issuer#" + id.value());
  }

  static Item issuer(IdentityProviderId id, Issuer issuer) {
    return Item.at(issuer(id))
        .with("kind", "issuer")
        .with(DOC, Json.write(issuer.metadata()))
        .with("keys", issuer.keys())
        .with(FETCHED, issuer.fetchedAt().toEpochMilli())
        .build();
  }

  static Issuer issuer(Item item) {
    return new Issuer(
        Json.read(item.text(DOC), IssuerMetadata.class),
        item.text("keys"),
        Instant.ofEpochMilli(item.whole(FETCHED, 0)));
  }

  /** Returns the item that records a used {@code state}. */
  static Item used(String sealedState, Instant until) {
    return Item.at(Key.single(Table.STATE, "sign-in#" + CanonicalJson.sha256(sealedState)))
        .with("kind", "sign_in")
        .expires(until)
        .build();
  }
}
