package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.OperatorId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One version of an operator's guardrails, which is kept permanently (contract, section 3): a
 * receipt names the version that decided.
 *
 * @param sha256 of the canonical form of the array of guardrails
 * @param createdBy author of the request that created it, as {@code {"type","id","name"}}
 * @param note the author's comment, or null
 */
public record GuardrailsVersion(
    OperatorId operatorId,
    long version,
    String sha256,
    Instant createdAt,
    JsonNode createdBy,
    @Nullable String note) {
  public static final int LONGEST_NOTE = 2_000;
}
