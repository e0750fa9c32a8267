package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.OperatorId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One version of an operator's guardrails, which is kept for good (contract, section 3): a receipt
 * names the version that it was evaluated by.
 *
 * @param sha256 of the canonical form of the array of guardrails
 * @param createdBy whose request made it, as {@code {"type","id","name"}}
 * @param note what whoever made it had to say of it, or null
 */
public record GuardrailsVersion(
    OperatorId operatorId,
    long version,
    String sha256,
    Instant createdAt,
    JsonNode createdBy,
    @Nullable String note) {
  /** The most characters of a note. */
  public static final int LONGEST_NOTE = 2_000;
}
