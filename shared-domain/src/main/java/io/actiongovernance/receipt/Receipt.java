package io.actiongovernance.receipt;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ReceiptId;
import org.jspecify.annotations.Nullable;

/**
 * One receipt: what became of an action, an undo, a proposal or a halt (specification, Receipts;
 * contract, section 6). Immutable once written; its document is what the API answers, {@code hash}
 * included.
 */
public record Receipt(ReceiptId id, Partition partition, ObjectNode document) {
  /** What a receipt is about. */
  public enum Kind {
    ACTION,
    UNDO,
    PROPOSAL,
    HALT;

    @JsonValue
    public String wire() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  public Outcome outcome() {
    return Outcome.parse(document.path("outcome").textValue()).orElseThrow();
  }

  public @Nullable String workspaceId() {
    return text("workspace_id");
  }

  /** A text field of the document, or null. */
  public @Nullable String text(String field) {
    JsonNode value = document.path(field);
    return value.isTextual() ? value.textValue() : null;
  }
}
