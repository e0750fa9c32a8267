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
 * The receipt object in responses (specification, Receipts; contract, section 6). A receipt is
 * stored as the document that responses contain, so that its hash covers what readers see. This
 * record only describes the form; it is never instantiated.
 */
@Doc("A permanent record of what happened.")
public record ReceiptForm(
    @Field(doc = "Identifier of the receipt.", example = "rc_01m80m2t9whk79yb4dge2k1j7q")
        ReceiptId id,
    @Field(doc = "Always `receipt`.", constant = "receipt") String object,
    @Field(
            doc =
                "Subject of the receipt: an `action` of a plan, an `undo`, a `proposal` that"
                    + " came to no plan, a `halt`, or the `resolution` of an unknown outcome. Also a"
                    + " change of the configuration (`config`), and a person's vote on a plan"
                    + " (`approval`).",
            example = "undo")
        Receipt.Kind kind,
    @Field(
            doc =
                "Outcome. `applied` is the only billable one. `halted` and `lifted` belong to"
                    + " halts, `voted` and `withdrawn` to votes.",
            example = "applied")
        ReceiptOutcome outcome,
    @Field(doc = "Identifier of the event.", example = "ev_01m80m2rsawypgrjsyz5r0tf37")
        @Nullable EventId eventId,
    @Field(doc = "Identifier of the plan.", example = "pl_01m80m2s108mp3w5mfpsdxkmtn")
        @Nullable PlanId planId,
    @Field(doc = "Only receipts of this action.", example = "act_01m80m2t6cjkrtyfw935escfpr")
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
            doc = "The tool's dotted name; null if there is no action.",
            example = "sandbox.payment.cancel_refund")
        @Nullable String tool,
    @Field(
            doc = "The entity that the action touches; null if there is no action.",
            example = "order:1042")
        @Nullable String entityKey,
    @Field(
            doc = "The action's key for duplicate suppression; null if there is no action.",
            example = "undo_11e3d8c869a8566464ee24fbc06faed5")
        @Nullable String idempotencyKey,
    @Field(
            doc = "The action's value, exact to the last digit; null if there is none.",
            example = "42.0")
        @Nullable BigDecimal value,
    @Field(doc = "The currency of the value; null if there is none.", example = "usd")
        @Nullable String currency,
    @Field(
            doc =
                "SHA-256 (hex) of what an approval is bound to: tenant, operator, connector,"
                    + " tool, arguments, value, entity and idempotency key; null if there is no"
                    + " action.",
            example = "c1bbf9d99b5813b07a92f83a87294e5d966f1561922b123b9af41f2e3865d9fc")
        @Nullable String actionDigest,
    @Field(
            doc =
                "The executor's disposition of the action: `ALLOW`, `ALERT`, `BLOCK` or"
                    + " `DEDUP`; null if there is none (skipped, vetoed, expired, a proposal, a"
                    + " halt).",
            example = "ALERT")
        @Nullable Disposition disposition,
    @Field(
            doc = "The verdict that decided; null if there is no action.",
            example =
                "{\"decision\": \"ALERT\", \"tier\": 2, \"rule\": \"large\", \"reason\": null}")
        @Nullable ReceiptVerdict verdict,
    @Field(doc = "The version of the guardrails that decided; null if none did.", example = "2")
        @Nullable Long guardrailsVersion,
    @Field(
            doc =
                "True if the disposition completed without error. False for a refused proposal;"
                    + " null if nothing was disposed.",
            example = "true")
        @Nullable Boolean ok,
    @Field(
            doc =
                "The error if `ok` is false; else null. For `BLOCK` it is always"
                    + " `blocked by trust policy`, for a failure the source system's error, for a"
                    + " proposal the reason for the refusal.")
        @Nullable String error,
    @Field(
            doc =
                "Approver of the action, or the caller that asked for the undo, as named in the"
                    + " request. Null if there was none, and for a vetoed action.",
            example = "first-live")
        @Nullable String approver,
    @Field(
            doc =
                "The approval's note. For a halt, its id. For a refused proposal of a model,"
                    + " the digest of the request to the model and its response. Else null.")
        @Nullable String note,
    @Field(
            doc =
                "Reason of a veto, an undo, a halt or a refused proposal, as given. For some"
                    + " refusals, a word (`needs_approval`, `approval_mismatch`). Else null.",
            example = "mistake")
        @Nullable String reason,
    @Field(
            doc = "Identifier of the action that was undone.",
            example = "act_01m80m2s3240zyy0xz6nyma7jg")
        @Nullable ActionId undoOf,
    @Field(
            doc = "The source system's own id for what it did; null if it gave none.",
            example = "sbx_e1486199a034fb53842e228c")
        @Nullable String upstreamReference,
    @Field(
            doc = "True if it counts against the allowance: only for outcome `applied`.",
            example = "true")
        boolean billable,
    @Field(
            doc =
                "Summary of the action, made by the service from its arguments; null if there"
                    + " is no action.",
            max = 200,
            example = "sandbox.payment.cancel_refund refund=re_1042")
        @Nullable String summary,
    @Field(
            doc =
                "SHA-256 (hex) of the tool as it was judged and called; null if there is no"
                    + " action.",
            pattern = "[0-9a-f]{64}",
            example = "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f")
        @Nullable String toolDigest,
    @Field(
            doc =
                "The fields, of `value`, `currency` and `entity_key`, that were only the"
                    + " proposer's claim.",
            example = "[]")
        List<Assertion> claimed,
    @Field(
            doc = "SHA-256 (hex) of the source system's answer, if it is kept; else null.",
            pattern = "[0-9a-f]{64}")
        @Nullable String resultSha256,
    @Field(
            doc = "Identifier of the approval that it ran under; null if nobody approved.",
            example = "apr_01m7yt2z78d1b3k25vq4kv9jme")
        @Nullable ApprovalId approvalId,
    @Field(
            doc = "The proposer; null if nothing was proposed.",
            example =
                "{\"type\": \"operator\", \"id\": \"op_01m80m2r2v3bwk9w41e6q809dq\", \"name\":"
                    + " \"refund-desk\", \"triggered_by\": {\"type\": \"key\", \"id\":"
                    + " \"key_01m80m2m0rvz8mtfbjg9wyx3ea\", \"name\": \"shop\"}}")
        @Nullable ProposedByView proposedBy,
    @Field(
            doc = "Principals that decided; null if nobody did.",
            example =
                "[{\"type\": \"key\", \"id\": \"key_01m80m2m0rvz8mtfbjg9wyx3ea\", \"name\":"
                    + " \"console\", \"verified\": false, \"claimed_as\": \"dana@acme.example\","
                    + " \"method\": \"key\", \"at\": \"2026-11-20T21:44:07.412Z\"}]")
        @Nullable List<DecidedByView> decidedBy,
    @Field(
            doc =
                "The action that holds the idempotency key, if this one was deduplicated,"
                    + " refused or unknown because of it; else null.",
            example = "act_01m7yt2z78d1b3k25vq4kv9jme")
        @Nullable ActionId holderActionId,
    @Field(doc = "Proposer of the action in `holder_action_id`; else null.")
        @Nullable ProposedByView holderProposedBy,
    @Field(
            doc = "The receipt whose unknown outcome this one resolves; else null.",
            example = "rc_01m7yt2z78d1b3k25vq4kv9jme")
        @Nullable ReceiptId resolves,
    @Field(doc = "The object that was changed, for a receipt of kind `config`; else null.")
        @Nullable ReceiptTarget target,
    @Field(doc = "The change, for a receipt of kind `config`; else null.")
        @Nullable ReceiptChange change,
    @Field(
            doc =
                "SHA-256 (hex) of the canonical JSON (RFC 8785, numbers as exact decimals) of"
                    + " the receipt without this field.",
            pattern = "[0-9a-f]{64}",
            example = "53b663816043970afbe92c0e56e706ab581ddb66fb6e5ddbeb0f7454e9be95db")
        String hash,
    @Field(
            doc =
                "Time at which it was appended to the ledger: RFC 3339 in UTC, to the"
                    + " millisecond.",
            example = "2026-11-22T03:16:33.724Z")
        Instant writtenAt,
    @Field(
            doc =
                "Trace of the request that led to it (W3C Trace Context); left out if there is"
                    + " none.",
            pattern = "[0-9a-f]{32}",
            example = "4bf92f3577b34da6a3ce929d0e0e4736")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String traceId,
    @Field(
            doc =
                "The principal that amended it last, before it was decided; left out if nobody"
                    + " did.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable PrincipalView amendedBy,
    @Field(doc = "Evidence of a vote that was given; else left out.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable VoteEvidence evidence,
    @Field(
            doc =
                "Time at which the verdict was evaluated; left out unless the guardrails depend on"
                    + " the time.",
            example = "2026-11-20T21:44:07.412Z")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable Instant evaluatedAt) {

  @Doc("The verdict that a receipt attests.")
  record ReceiptVerdict(
      @Field(doc = VerdictView.DECISION) Decision decision,
      @Field(doc = VerdictView.TIER, min = 0, max = 3) int tier,
      @Field(doc = VerdictView.RULE) @Nullable String rule,
      @Field(
              doc = VerdictView.REASON,
              choices = {Verdict.TOOL_CHANGED, Verdict.OUTSIDE_WINDOW})
          @Nullable String reason,
      @Field(
              doc =
                  "The limit that turned `ALLOW` into `ALERT` at the proposal, or refused the"
                      + " action at execution; left out if none did.",
              as = LimitUseView.class)
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable LimitUse limit) {}

  @Doc("The evidence of a vote.")
  record VoteEvidence(
      @Field(doc = "Method by which the person proved who they are.") ApprovalPolicy.Method method,
      @Field(
              doc =
                  "Statement of what was approved. A passkey signs the SHA-256 of `approval.v1`,"
                      + " a line feed and the statement's canonical form (RFC 8785, numbers as"
                      + " exact decimals).",
              as = ObjectNode.class,
              example = "{\"v\":1,\"purpose\":\"plan.approve\"}")
          ObjectNode statement,
      @Field(doc = "Identifier of the passkey that signed, in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String credentialId,
      @Field(doc = "Public key of that passkey in the form COSE, in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String publicKeyCose,
      @Field(doc = "Public key of that passkey in the form SubjectPublicKeyInfo, in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String publicKeySpki,
      @Field(
              doc =
                  "The authenticator's statement about itself and its user (`authenticatorData`"
                      + " of WebAuthn), in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String authenticatorData,
      @Field(
              doc =
                  "The browser's statement of what was signed, and where (`clientDataJSON` of"
                      + " WebAuthn), in base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String clientData,
      @Field(
              doc =
                  "Signature of that passkey over `authenticator_data` and `client_data`, in"
                      + " base64url.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String signature) {}

  @Doc("The object that was changed.")
  record ReceiptTarget(
      @Field(doc = "Type of the object.") ConfigChange.Target type,
      @Field(doc = "Identifier of the object; the tenant's for an allowance and for limits.")
          String id) {}

  @Doc("The change of an object.")
  record ReceiptChange(
      @Field(doc = "The names of the changed fields.") List<String> fields,
      @Field(
              doc =
                  "SHA-256 (hex) of the canonical object before the change, as retrieved, without"
                      + " secrets and their hints; null before creation.",
              pattern = "[0-9a-f]{64}")
          @Nullable String beforeSha256,
      @Field(
              doc =
                  "SHA-256 (hex) of the canonical object after the change, as retrieved, without"
                      + " secrets and their hints; null after deletion.",
              pattern = "[0-9a-f]{64}")
          @Nullable String afterSha256) {}
}
