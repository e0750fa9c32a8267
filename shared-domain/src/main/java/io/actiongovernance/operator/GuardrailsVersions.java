package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Store;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Versions of operators' guardrails. The transaction that changes the operator writes them, and
 * nothing rewrites them. Thread-safe.
 */
public final class GuardrailsVersions {
  private final Store store;
  private final Operators operators;
  private final Logger log = LoggerFactory.getLogger(GuardrailsVersions.class);

  public GuardrailsVersions(Store store, Operators operators) {
    this.store = store;
    this.operators = operators;
  }

  public record Whole(GuardrailsVersion version, ArrayNode guardrails) {}

  /** Returns the version with this number, if there was one. */
  public Outcome<Whole> retrieve(Caller caller, OperatorId id, long version) {
    return operators
        .retrieve(caller, id)
        .then(
            operator ->
                find(operator, version)
                    .map(Outcome::done)
                    .orElseGet(
                        () -> Outcome.refused(new Refusal.NotFound("version of the guardrails"))));
  }

  /** Returns the guardrails of a version; empty if it is missing or this build cannot read it. */
  public Optional<Guardrails> guardrails(Partition partition, OperatorId id, long version) {
    return store
        .get(OperatorItems.versionKey(partition, id, version))
        .flatMap(item -> set(partition, id, version, item))
        .flatMap(item -> guardrails(id, version, item));
  }

  private Optional<Guardrails> guardrails(OperatorId id, long version, Item item) {
    try {
      return Optional.of(OperatorItems.guardrails(item));
    } catch (RuntimeException e) {
      log.error("Version {} of the guardrails of operator {} cannot be read.", version, id, e);
      return Optional.empty();
    }
  }

  private Optional<Whole> find(Operator operator, long version) {
    return store
        .get(OperatorItems.versionKey(operator.partition(), operator.id(), version))
        .map(
            item ->
                new Whole(
                    OperatorItems.version(item),
                    OperatorItems.set(
                        set(operator.partition(), operator.id(), version, item).orElseThrow())));
  }

  private Optional<Item> set(Partition partition, OperatorId id, long version, Item item) {
    return OperatorItems.hasGuardrails(item)
        ? Optional.of(item)
        : store.get(OperatorItems.guardrailsKey(partition, id, version));
  }

  public Outcome<Page<GuardrailsVersion>> list(Caller caller, OperatorId id, PageRequest page) {
    return operators
        .retrieve(caller, id)
        .map(
            operator ->
                Listing.page(
                    store,
                    OperatorItems.versions(operator.partition(), id),
                    page,
                    item -> item.key().range(),
                    item -> Optional.of(OperatorItems.version(item))));
  }
}
