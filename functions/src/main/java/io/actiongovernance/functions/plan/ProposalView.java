package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.RetrieveProposal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The proposal object: the request to the model, and its answer, from which a plan was made. */
@Doc(
    "The request to the model of a plan, and its response. A part that is too long"
        + " to keep is `{\"truncated\":true,\"size_bytes\",\"beginning\"}`.")
record ProposalView(
    @Field(doc = "Always `proposal`.", constant = "proposal") String object,
    PlanId planId,
    @Field(
            doc =
                "Kind of proposer: a model of `bedrock` or behind an `openai_compatible`"
                    + " endpoint, a `scripted` plan, or an outside `agent`.",
            choices = {"bedrock", "openai_compatible", "scripted", "agent"},
            example = "scripted")
        String provider,
    @Field(doc = "The provider's name for the model; null if no model was asked.")
        @Nullable String model,
    @Field(
            doc =
                "Request as sent, without credentials; null if no model was asked, or if the"
                    + " caller may not read events.",
            as = ObjectNode.class)
        @Nullable JsonNode request,
    @Field(
            doc =
                "Response as it came: any JSON. Only an object with the reasoning and the actions,"
                    + " if an outside agent or a script proposed, or if the caller may not read"
                    + " events.",
            example =
                "{\"reasoning\":null,\"actions\":[{\"connector\":\"cn_01m80m2qj85nayp37vs674gsax\",\"tool\":\"sandbox.payment.refund\",\"args\":{\"order\":\"1042\",\"amount\":\"42.00\"},\"value\":42.0,\"entity_key\":\"order:1042\",\"idempotency_key\":\"auto_69998d7e670e798366fe13eef08c52d4\"}]}")
        JsonNode response,
    @Field(
            doc = "SHA-256 of the canonical JSON of provider, model, request and response, whole.",
            pattern = "[0-9a-f]{64}",
            example = "38d001beb87c03d091b70d11f28fbbd0b9ff7690107eaec0c0060995b1d43423")
        String digest,
    @Field(
            doc = "Time at which the plan was proposed: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:32.416Z")
        Instant proposedAt) {
  static ProposalView of(RetrieveProposal.Read read) {
    return new ProposalView(
        "proposal",
        read.planId(),
        read.provider(),
        read.model(),
        read.request(),
        read.response(),
        read.digest(),
        read.proposedAt());
  }
}
