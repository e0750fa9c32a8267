package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersion;
import io.actiongovernance.operator.GuardrailsVersions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A version of an operator's guardrails, with the whole set (contract, section 3). */
@Doc("A version of an operator's guardrails.")
record GuardrailsVersionView(
    @JsonUnwrapped Item item,
    @Field(doc = OperatorTexts.GUARDRAILS, as = GuardrailForm.class, example = GuardrailForm.SET)
        ArrayNode guardrails) {
  /** The version without its set, for lists. */
  @Doc("A version of an operator's guardrails, without the set.")
  record Item(
      @Field(doc = "Always `guardrails_version`.", constant = "guardrails_version") String object,
      OperatorId operatorId,
      @Field(
              doc = "Number of the version, from 1; receipts name it as `guardrails_version`.",
              min = 1,
              example = "1")
          long version,
      @Field(
              doc = "SHA-256 (hex) of the canonical JSON of the `guardrails` array.",
              pattern = "[0-9a-f]{64}",
              example = "8f22239d2edb2220bf76579f6316e33066947a5fdd39b71342e87f75cbef7794")
          String sha256,
      @Field(doc = "Time of creation.") Instant createdAt,
      @Field(
              doc = "The principal that made the version, as the service knows it.",
              as = PrincipalView.class)
          JsonNode createdBy,
      @Field(
              doc = "Note of the request that made the version.",
              max = GuardrailsVersion.LONGEST_NOTE,
              example = "Small refunds run by themselves.")
          @Nullable String note) {
    static Item of(GuardrailsVersion version) {
      return new Item(
          "guardrails_version",
          version.operatorId(),
          version.version(),
          version.sha256(),
          version.createdAt(),
          version.createdBy(),
          version.note());
    }
  }

  static GuardrailsVersionView of(GuardrailsVersions.Whole whole) {
    return new GuardrailsVersionView(Item.of(whole.version()), whole.guardrails());
  }
}
