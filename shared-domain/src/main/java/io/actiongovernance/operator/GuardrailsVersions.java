package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Store;
import java.util.Optional;

/**
 * The versions of operators' guardrails. They are written by the transaction that changes the
 * operator, and never again. Thread-safe.
 */
public final class GuardrailsVersions {
  private final Store store;

  public GuardrailsVersions(Store store) {
    this.store = store;
  }

  /** A version and its set of guardrails, an array. */
  public record Whole(GuardrailsVersion version, JsonNode guardrails) {}

  /** The version of this number, if there was one. */
  public Optional<Whole> find(Operator operator, long version) {
    return store
        .get(OperatorItems.versionKey(operator.partition(), operator.id(), version))
        .map(
            item ->
                new Whole(
                    OperatorItems.version(item),
                    OperatorItems.set(
                        OperatorItems.hasGuardrails(item)
                            ? item
                            : store
                                .get(
                                    OperatorItems.guardrailsKey(
                                        operator.partition(), operator.id(), version))
                                .orElseThrow())));
  }

  /** One page of an operator's versions, newest first. */
  public Page<GuardrailsVersion> list(Operator operator, PageRequest page) {
    return Listing.page(
        store,
        OperatorItems.versions(operator.partition(), operator.id()),
        page,
        item -> item.key().range(),
        item -> Optional.of(OperatorItems.version(item)));
  }
}
