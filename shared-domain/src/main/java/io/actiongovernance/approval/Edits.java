package io.actiongovernance.approval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Recent editors of the configuration that an approval rests on (contract for people, section 2,
 * {@code not_policy_editor_seconds}), as its receipts name them. Thread-safe.
 */
public final class Edits {
  /** Targets whose changes affect every plan. */
  private static final Set<String> OF_ALL = Set.of("approval_defaults", "identity_provider");

  private static final Set<String> OF_OPERATORS = Set.of("guardrails");
  private static final Set<String> OF_PEOPLE = Set.of("groups", "bindings");

  private final ReceiptLedger ledger;

  public Edits(ReceiptLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * Change of the configuration.
   *
   * @param by who made it, as receipts name them
   */
  record Edit(Principal by, Instant at) {}

  /** Returns all changes of a mode's configuration since an instant. */
  List<Receipt> since(Partition partition, Instant since) {
    return ledger.configSince(partition, since);
  }

  static List<Edit> bearingOn(Plan plan, List<Receipt> changes) {
    List<Edit> edits = new ArrayList<>();
    for (Receipt receipt : changes) {
      ObjectNode document = receipt.document();
      if (bearsOn(plan, document)) {
        for (JsonNode decider : document.path("decided_by")) {
          edits.add(new Edit(principal(decider), receipt.id().madeAt()));
        }
      }
    }
    return edits;
  }

  private static Principal principal(JsonNode decider) {
    return new Principal(
        Principal.Type.valueOf(decider.path("type").asText().toUpperCase(Locale.ROOT)),
        decider.path("id").asText(),
        decider.path("name").asText(),
        null);
  }

  private static boolean bearsOn(Plan plan, ObjectNode document) {
    JsonNode target = document.path("target");
    JsonNode change = document.path("change");
    String id = target.path("id").asText();
    boolean made = change.path("before_sha256").isNull();
    return switch (target.path("type").asText()) {
      case "guardrails" -> id.equals(plan.terms().operatorId().value());
      // Creating an operator creates its guardrails, and a change of other fields may replace them
      // too.
      case "operator" ->
          (made || names(change, OF_OPERATORS)) && id.equals(plan.terms().operatorId().value());
      case "connector" ->
          plan.terms().connectors().stream().anyMatch(connector -> connector.value().equals(id));
      // If an identity provider changes a person, nobody decided that.
      case "person" -> made || names(change, OF_PEOPLE);
      case "ticket" -> made;
      case String type -> OF_ALL.contains(type);
    };
  }

  private static boolean names(JsonNode change, Set<String> fields) {
    for (JsonNode field : change.path("fields")) {
      if (fields.contains(field.asText())) {
        return true;
      }
    }
    return false;
  }
}
