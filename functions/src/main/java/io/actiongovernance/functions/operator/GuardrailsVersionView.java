package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersion;
import io.actiongovernance.operator.GuardrailsVersions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A version of an operator's guardrails (contract, section 3).
 *
 * @param guardrails the whole set; left out of lists
 */
record GuardrailsVersionView(
    String object,
    OperatorId operatorId,
    long version,
    String sha256,
    Instant createdAt,
    JsonNode createdBy,
    @Nullable String note,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode guardrails) {
  /** As an element of the list. */
  static GuardrailsVersionView listed(GuardrailsVersion version) {
    return of(version, null);
  }

  static GuardrailsVersionView of(GuardrailsVersions.Whole whole) {
    return of(whole.version(), whole.guardrails());
  }

  private static GuardrailsVersionView of(
      GuardrailsVersion version, @Nullable JsonNode guardrails) {
    return new GuardrailsVersionView(
        "guardrails_version",
        version.operatorId(),
        version.version(),
        version.sha256(),
        version.createdAt(),
        version.createdBy(),
        version.note(),
        guardrails);
  }
}
