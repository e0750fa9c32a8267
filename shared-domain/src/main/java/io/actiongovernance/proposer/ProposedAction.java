package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Action as a proposer stated it, unvalidated. Any field may be absent or of the wrong type until
 * {@link ProposalRules} has checked it. It has the planned-action fields of the specification.
 */
public record ProposedAction(
    @Nullable String connector,
    @Nullable String tool,
    @Nullable JsonNode args,
    @Nullable JsonNode value,
    @Nullable String currency,
    @Nullable String entityKey,
    @Nullable String idempotencyKey) {
  private static final int LONGEST_TEXT = 2_000;
  private static final int MOST_READ = 10_000;

  /**
   * Reads the actions of a request. It checks only their shape, and that connector and tool are
   * named. {@link ProposalRules} checks their number and everything else, so that a refusal can
   * have a receipt.
   */
  public static List<ProposedAction> readAll(Fields body, String field) {
    return body.list(field, 1, MOST_READ).stream().map(ProposedAction::read).toList();
  }

  private static ProposedAction read(Fields fields) {
    ProposedAction action =
        new ProposedAction(
            fields.text("connector", 1, LONGEST_TEXT),
            fields.text("tool", 1, LONGEST_TEXT),
            fields.objectOrNull("args"),
            fields.value("value"),
            fields.textOrNull("currency", 0, LONGEST_TEXT),
            fields.textOrNull("entity_key", 0, LONGEST_TEXT),
            fields.textOrNull("idempotency_key", 0, LONGEST_TEXT));
    fields.done();
    return action;
  }
}
