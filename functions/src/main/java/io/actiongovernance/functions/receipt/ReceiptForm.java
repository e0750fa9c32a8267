package io.actiongovernance.functions.receipt;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.functions.access.DecidedByView;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.access.ProposedByView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.LimitUseView;
import io.actiongovernance.functions.plan.VerdictView;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Assertion;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.LimitUse;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The receipt object, as answers have it (specification, Receipts; contract, section 6). A receipt
 * is kept as the document that is answered, so that its hash is of what readers see: this tells of
 * its shape, and nobody makes one.
 */
@Doc("What happened, for good.")
public record ReceiptForm(
    @Field(doc = "Identifier of the receipt.", example = "rc_01m80m2t9whk79yb4dge2k1j7q")
        ReceiptId id,
    @Field(doc = "Always `receipt`.", constant = "receipt") String object,
    @Field(
            doc =
                "What it tells of: an `action` of a plan, an `undo`, a `proposal` that came to"
                    + " no plan, a `halt`, the `resolution` of an unknown outcome, or a change of"
                    + " the configuration (`config`), or a person's vote on a plan (`approval`).",
            example = "undo")
        Receipt.Kind kind,
    @Field(
            doc =
                "`applied` is the only billable one; `halted` and `lifted` are of halts, `voted` and `withdrawn` of votes.",
            example = "applied")
        ReceiptOutcome outcome,
    @Field(doc = "Identifier of the event.", example = "ev_01m80m2rsawypgrjsyz5r0tf37")
        @Nullable EventId eventId,
    @Field(doc = "Identifier of the plan.", example = "pl_01m80m2s108mp3w5mfpsdxkmtn")
        @Nullable PlanId planId,
    @Field(doc = "Identifier of the action.", example = "act_01m80m2t6cjkrtyfw935escfpr")
        @Nullable ActionId actionId,
    @Field(doc = "Identifier of the operator.", example = "op_01m80m2r2v3bwk9w41e6q809dq")
        @Nullable OperatorId operatorId,
    @Field(doc = "Identifier of the correlation.", example = "co_01m80m2rsf0ehct941hmfypd1h")
        @Nullable CorrelationId correlationId,
    @Field(
            doc = "Identifier of the request that led to it.",
            example = "req_01m80m2t65552b1kwgmbsqhfp9")
        @Nullable RequestId requestId,
    @Field(doc = "The workspace it belongs to; null for the tenant as a whole.")
        @Nullable String workspaceId,
    @Field(doc = "Identifier of the connector.", example = "cn_01m80m2qj85nayp37vs674gsax")
        @Nullable ConnectorId connector,
    @Field(
            doc = "The tool's dotted name; null where there is no action.",
            example = "sandbox.payment.cancel_refund")
        @Nullable String tool,
    @Field(
            doc = "The entity that the action touches; null where there is no action.",
            example = "order:1042")
        @Nullable String entityKey,
    @Field(
            doc = "The action's key for duplicate suppression; null where there is no action.",
            example = "undo_11e3d8c869a8566464ee24fbc06faed5")
        @Nullable String idempotencyKey,
    @Field(
            doc = "The action's value, exact to the last digit; null when there is none.",
            example = "42.0")
        @Nullable BigDecimal value,
    @Field(doc = "The currency of the value; null when there is none.", example = "usd")
        @Nullable String currency,
    @Field(
            doc =
                "SHA-256 (hex) of what an approval is bound to: tenant, operator, connector,"
                    + " tool, arguments, value, entity and idempotency key; null where there is no"
                    + " action.",
            example = "c1bbf9d99b5813b07a92f83a87294e5d966f1561922b123b9af41f2e3865d9fc")
        @Nullable String actionDigest,
    @Field(
            doc =
                "How the executor disposed the action: `ALLOW`, `ALERT`, `BLOCK` or `DEDUP`;"
                    + " null where it came to none (skipped, vetoed, expired, a proposal, a halt).",
            example = "ALERT")
        @Nullable Disposition disposition,
    @Field(
            doc = "The verdict that decided; null where there is no action.",
            example =
                "{\"decision\": \"ALERT\", \"tier\": 2, \"rule\": \"large\", \"reason\": null}")
        @Nullable ReceiptVerdict verdict,
    @Field(doc = "The version of the guardrails that decided; null where none did.", example = "2")
        @Nullable Long guardrailsVersion,
    @Field(
            doc =
                "Whether the disposition completed without error; false of a refused proposal;"
                    + " null where nothing was disposed.",
            example = "true")
        @Nullable Boolean ok,
    @Field(
            doc =
                "The error, when `ok` is false: for `BLOCK` always `blocked by trust policy`,"
                    + " for a failure the source system's, for a proposal why it was refused; else"
                    + " null.")
        @Nullable String error,
    @Field(
            doc =
                "Who approved the action or asked for the undo, as named in the request; null"
                    + " when nobody did, and of a vetoed one.",
            example = "first-live")
        @Nullable String approver,
    @Field(
            doc =
                "The approval's note; of a halt its id; of a refused proposal of a model the"
                    + " digest of what the model was asked and answered; else null.")
        @Nullable String note,
    @Field(
            doc =
                "Why: of a veto, an undo, a halt or a refused proposal as it was given, of some"
                    + " refusals a word (`needs_approval`, `approval_mismatch`); else null.",
            example = "mistake")
        @Nullable String reason,
    @Field(
            doc = "Identifier of the action that was undone.",
            example = "act_01m80m2s3240zyy0xz6nyma7jg")
        @Nullable ActionId undoOf,
    @Field(
            doc = "The source system's own id for what it did; null when it gave none.",
            example = "sbx_e1486199a034fb53842e228c")
        @Nullable String upstreamReference,
    @Field(
            doc = "Whether it counts against the allowance: true for outcome `applied` alone.",
            example = "true")
        boolean billable,
    @Field(
            doc =
                "What the action does, made by the service from its arguments; null where there"
                    + " is no action.",
            max = 200,
            example = "sandbox.payment.cancel_refund refund=re_1042")
        @Nullable String summary,
    @Field(
            doc =
                "SHA-256 (hex) of the tool as it was judged and called; null where there is no"
                    + " action.",
            pattern = "[0-9a-f]{64}",
            example = "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f")
        @Nullable String toolDigest,
    @Field(
            doc =
                "The fields that were the proposer's word alone, of `value`, `currency` and"
                    + " `entity_key`.",
            example = "[]")
        List<Assertion> claimed,
    @Field(
            doc = "SHA-256 (hex) of the source system's answer, where it is kept; else null.",
            pattern = "[0-9a-f]{64}")
        @Nullable String resultSha256,
    @Field(
            doc = "Identifier of the approval that it ran under; null where nobody approved.",
            example = "apr_01m7yt2z78d1b3k25vq4kv9jme")
        @Nullable ApprovalId approvalId,
    @Field(
            doc = "Who proposed it; null where nothing was proposed.",
            example =
                "{\"type\": \"operator\", \"id\": \"op_01m80m2r2v3bwk9w41e6q809dq\", \"name\":"
                    + " \"refund-desk\", \"triggered_by\": {\"type\": \"key\", \"id\":"
                    + " \"key_01m80m2m0rvz8mtfbjg9wyx3ea\", \"name\": \"shop\"}}")
        @Nullable ProposedByView proposedBy,
    @Field(
            doc = "Who decided it; null where nobody did.",
            example =
                "[{\"type\": \"key\", \"id\": \"key_01m80m2m0rvz8mtfbjg9wyx3ea\", \"name\":"
                    + " \"console\", \"verified\": false, \"claimed_as\": \"dana@acme.example\","
                    + " \"method\": \"key\", \"at\": \"2026-11-20T21:44:07.412Z\"}]")
        @Nullable List<DecidedByView> decidedBy,
    @Field(
            doc =
                "The action that holds the idempotency key, where this one was deduplicated,"
                    + " refused or unknown for its sake; else null.",
            example = "act_01m7yt2z78d1b3k25vq4kv9jme")
        @Nullable ActionId holderActionId,
    @Field(doc = "Who proposed the action that holds the idempotency key; else null.")
        @Nullable ProposedByView holderProposedBy,
    @Field(
            doc = "The receipt whose unknown outcome this one resolves; else null.",
            example = "rc_01m7yt2z78d1b3k25vq4kv9jme")
        @Nullable ReceiptId resolves,
    @Field(doc = "What was changed, of a receipt of kind `config`; else null.")
        @Nullable ReceiptTarget target,
    @Field(doc = "The change, of a receipt of kind `config`; else null.")
        @Nullable ReceiptChange change,
    @Field(
            doc =
                "SHA-256 (hex) of the canonical JSON (RFC 8785, numbers as exact decimals) of"
                    + " the receipt without this field.",
            pattern = "[0-9a-f]{64}",
            example = "53b663816043970afbe92c0e56e706ab581ddb66fb6e5ddbeb0f7454e9be95db")
        String hash,
    @Field(
            doc = "When it was appended to the ledger: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:33.724Z")
        Instant writtenAt,
    @Field(
            doc =
                "The trace, as W3C Trace Context has it, of the request that led to it; left out"
                    + " where there is none.",
            pattern = "[0-9a-f]{32}",
            example = "4bf92f3577b34da6a3ce929d0e0e4736")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String traceId,
    @Field(doc = "Who amended it last, before it was decided; left out where nobody did.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable PrincipalView amendedBy,
    @Field(doc = "What a vote is proven by, of one that was given; else left out.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable VoteEvidence evidence) {

  @Doc("The verdict that a receipt attests.")
  record ReceiptVerdict(
      @Field(doc = VerdictView.DECISION) Decision decision,
      @Field(doc = VerdictView.TIER, min = 0, max = 3) int tier,
      @Field(doc = VerdictView.RULE) @Nullable String rule,
      @Field(doc = VerdictView.REASON, choices = Verdict.TOOL_CHANGED) @Nullable String reason,
      @Field(
              doc =
                  "The limit that turned `ALLOW` into `ALERT` at the proposal, or refused the action at execution; left out where none did.",
              as = LimitUseView.class)
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable LimitUse limit) {}

  @Doc("What a vote is proven by.")
  record VoteEvidence(
      @Field(doc = "How the person showed that it is they.") ApprovalPolicy.Method method,
      @Field(
              doc =
                  "What was approved. A passkey signs the SHA-256 of `approval.v1`, a line feed and its canonical form (RFC 8785).",
              as = ObjectNode.class,
              example = "{\"v\":1,\"purpose\":\"plan.approve\"}")
          ObjectNode statement,
      @Field(doc = "Of the passkey that signed, as the next ones: its identifier, in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String credentialId,
      @Field(doc = "Its public key in the form COSE, in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String publicKeyCose,
      @Field(doc = "The same in the form SubjectPublicKeyInfo, in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String publicKeySpki,
      @Field(doc = "What the authenticator said of itself and its user, in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String authenticatorData,
      @Field(doc = "What the browser said was signed, and where, in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String clientData,
      @Field(doc = "Over both, in base64url.") @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String signature) {}

  @Doc("The object that was changed.")
  record ReceiptTarget(
      @Field(doc = "What it is.") ConfigChange.Target type,
      @Field(doc = "Its identifier; of an allowance and of limits the tenant's.") String id) {}

  @Doc("How it was changed.")
  record ReceiptChange(
      @Field(doc = "The names of the changed fields.") List<String> fields,
      @Field(
              doc =
                  "SHA-256 (hex) of the canonical object before, as retrieved, without secrets and"
                      + " their hints; null before creation.",
              pattern = "[0-9a-f]{64}")
          @Nullable String beforeSha256,
      @Field(doc = "The same of the object after; null after deletion.", pattern = "[0-9a-f]{64}")
          @Nullable String afterSha256) {}
}
