package io.actiongovernance.identity;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Store;
import java.util.List;
import java.util.Optional;

/** The identity providers there are. Thread-safe. */
public final class IdentityProviders {
  static final Refusal NOT_FOUND = new Refusal.NotFound("identity provider");

  private final Store store;

  public IdentityProviders(Store store) {
    this.store = store;
  }

  /** The one of this identifier, whoever's it is. */
  public Optional<IdentityProvider> find(IdentityProviderId id) {
    return store.get(IdentityProviderItems.key(id)).map(IdentityProviderItems::read);
  }

  /** The one of a mode. */
  public Optional<IdentityProvider> of(Partition partition) {
    return store
        .get(IdentityProviderItems.slot(partition))
        .flatMap(row -> find(new IdentityProviderId(row.text(IdentityProviderItems.ID))))
        .filter(provider -> provider.partition().equals(partition));
  }

  /** The one of this identifier, if the caller sees it: it is the whole tenant's. */
  public Outcome<IdentityProvider> retrieve(Caller caller, IdentityProviderId id) {
    return find(id)
        .filter(provider -> provider.partition().equals(caller.partition()))
        .filter(provider -> caller.sees(null))
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(NOT_FOUND));
  }

  /** Those that the caller sees: one at the most. */
  public Page<IdentityProvider> list(Caller caller, PageRequest page) {
    List<IdentityProvider> seen =
        of(caller.partition())
            .filter(provider -> caller.sees(null))
            .filter(each -> page.after() == null || each.id().value().compareTo(page.after()) < 0)
            .stream()
            .toList();
    return new Page<>(seen, null);
  }
}
