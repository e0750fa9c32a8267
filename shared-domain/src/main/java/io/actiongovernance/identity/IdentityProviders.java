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

/** Finds identity providers. Thread-safe. */
public final class IdentityProviders {
  static final Refusal NOT_FOUND = new Refusal.NotFound("identity provider");

  private final Store store;

  public IdentityProviders(Store store) {
    this.store = store;
  }

  /** Returns the provider with this identifier, of any tenant. */
  public Optional<IdentityProvider> find(IdentityProviderId id) {
    return store.get(IdentityProviderItems.key(id)).map(IdentityProviderItems::read);
  }

  public Optional<IdentityProvider> of(Partition partition) {
    return store
        .get(IdentityProviderItems.slot(partition))
        .flatMap(row -> find(new IdentityProviderId(row.text(IdentityProviderItems.ID))))
        .filter(provider -> provider.partition().equals(partition));
  }

  /** Returns the provider if the caller sees it. A provider belongs to the whole tenant. */
  public Outcome<IdentityProvider> retrieve(Caller caller, IdentityProviderId id) {
    return find(id)
        .filter(provider -> provider.partition().equals(caller.partition()))
        .filter(provider -> caller.sees(null))
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(NOT_FOUND));
  }

  /** Returns the providers that the caller sees: at most one. */
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
