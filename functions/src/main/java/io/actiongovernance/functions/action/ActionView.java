package io.actiongovernance.functions.action;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.access.ProposedByView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.plan.ActionFields;
import io.actiongovernance.functions.plan.VerdictView;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The action object (specification, Action object; contract, section 2). {@code error} is omitted
 * unless {@code ok} is false, {@code value} if none was proposed.
 */
@Doc("An action.")
public record ActionView(
    ActionId id,
    @Field(doc = "Always `action`.", constant = "action") String object,
    PlanId planId,
    @Field(doc = "Identifier of the event; null for a scheduled run.") @Nullable EventId eventId,
    OperatorId operatorId,
    CorrelationId correlationId,
    @JsonUnwrapped ActionFields fields,
    @Field(
            doc = "SHA-256 (hex) of what an approval is bound to.",
            pattern = "[0-9a-f]{64}",
            example = "3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b3b")
        String actionDigest,
    @Field(
            doc = "SHA-256 (hex) of the tool as it was judged.",
            pattern = "[0-9a-f]{64}",
            example = "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f")
        String toolDigest,
    @Field(
            doc = "The policy's verdict on an action.",
            example =
                "{\"decision\":\"ALERT\",\"tier\":2,\"rule\":\"large\",\"reason\":null,\"limit\":null}")
        VerdictView verdict,
    @Field(
            doc =
                "The executor's disposition. `ALLOW` and `ALERT` (after an approval) ran the"
                    + " action, `BLOCK` refused it. `DEDUP` did not run it because its"
                    + " idempotency_key had been applied before. Null until disposed.",
            example = "ALERT")
        @Nullable Disposition disposition,
    @Field(
            doc = "True if the disposition completed without error; null until disposed.",
            example = "true")
        @Nullable Boolean ok,
    @Field(
            doc =
                "The error, only if `ok` is false. For `BLOCK` it is always"
                    + " `blocked by trust policy`, for a failure the source system's error."
                    + " `outcome unknown: …` means that nobody can know whether the action took"
                    + " effect.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String error,
    @Field(
            doc =
                "Identifier of the action's receipt, which refused actions have too; null until"
                    + " disposed.")
        @Nullable ReceiptId receiptId,
    @Field(
            doc =
                "True if the plan's approval left the action out. It then has a receipt and no"
                    + " disposition.",
            example = "false")
        boolean skipped,
    @Field(
            doc =
                "True if the action was applied, its tool declares an inverse, and the source"
                    + " system's answer yielded what the inverse needs. Stays true after an undo.",
            example = "true")
        boolean undoable,
    @Field(doc = "True if an undo of the action was applied.", example = "false") boolean undone,
    @Field(doc = "Identifier of the action that this one undoes.") @Nullable ActionId undoOf,
    @Field(doc = "Identifier of the action that undid this one.") @Nullable ActionId undoActionId,
    @Field(
            doc =
                "Approver of the action, or the caller that asked for this undo; null if no"
                    + " approval was needed.",
            example = "dana@acme.example")
        @Nullable String approver,
    @Field(
            doc =
                "The action that holds the idempotency key, if this one was deduplicated,"
                    + " refused or is unknown because of it; else null.")
        @Nullable ActionId holderActionId,
    @Field(
            doc = "Proposer of the action in `holder_action_id`; else null.",
            as = ProposedByView.class)
        @Nullable JsonNode holderProposedBy,
    @Field(
            doc =
                "Resolution of an unknown outcome, as stated by a caller; null if there is"
                    + " none.")
        @Nullable Resolution resolution,
    @Field(
            doc = "Time at which the executor disposed the action, RFC 3339; null until then.",
            example = "2026-11-22T03:16:33.406Z")
        @Nullable Instant disposedAt) {

  /** A caller's statement of what came of an action (contract, section 2, Resolving). */
  @Doc("A caller's statement of what came of an action whose outcome was unknown.")
  public record Resolution(
      @Field(doc = "`applied` if the call took effect, else `not_applied`.") SaidOutcome outcome,
      @Field(doc = "The source system's own id for what it did; null if none was given.")
          @Nullable String upstreamReference,
      @Field(doc = "Evidence for the outcome, as given in the request.") String reason,
      @Field(doc = "Identifier of the receipt of kind `resolution`.") ReceiptId receiptId,
      @Field(
              doc = "The principal that resolved the outcome, as the service knows it.",
              as = PrincipalView.class)
          ObjectNode resolvedByPrincipal,
      @Field(
              doc = "Time of the resolution: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-20T21:44:07.412Z")
          Instant resolvedAt) {
    static @Nullable Resolution of(Action.@Nullable Resolution resolution) {
      return resolution == null
          ? null
          : new Resolution(
              SaidOutcome.of(resolution.applied()),
              resolution.upstreamReference(),
              resolution.reason(),
              resolution.receiptId(),
              resolution.resolvedBy().wire(),
              resolution.resolvedAt());
    }
  }

  public static ActionView of(Action action) {
    return of(action, action.verdict());
  }

  /**
   * The action with another verdict.
   *
   * @param verdict the one that binds while the action's plan is open
   */
  static ActionView of(Action action, Verdict verdict) {
    Action.Terms terms = action.terms();
    Action.Disposal disposal = action.disposal();
    Action.Closing closing = action.closing();
    Action.Undoing undoing = terms.undoing();
    Action.KeyHolder holder = disposal == null ? null : disposal.holder();
    return new ActionView(
        action.id(),
        "action",
        terms.planId(),
        terms.eventId(),
        terms.operatorId(),
        terms.correlationId(),
        ActionFields.of(terms),
        terms.digest(),
        terms.toolDigest(),
        VerdictView.of(verdict),
        disposal == null ? null : disposal.disposition(),
        disposal == null ? null : disposal.ok(),
        disposal == null ? null : disposal.error(),
        receiptId(disposal, closing),
        closing != null && closing.outcome() == ReceiptOutcome.SKIPPED,
        action.undoable(),
        action.undone(),
        undoing == null ? null : undoing.original(),
        action.undo().undoneBy(),
        disposal == null ? null : disposal.approver(),
        holder == null ? null : holder.action(),
        holder == null ? null : holder.proposedBy(),
        Resolution.of(action.resolution()),
        disposal == null ? null : disposal.disposedAt());
  }

  private static @Nullable ReceiptId receiptId(
      Action.@Nullable Disposal disposal, Action.@Nullable Closing closing) {
    if (disposal != null) {
      return disposal.receiptId();
    }
    return closing == null ? null : closing.receiptId();
  }

  /** A disposed action in a list. */
  @Doc("An action in a list.")
  record Item(
      ActionId id,
      @Field(doc = "Always `action`.", constant = "action") String object,
      PlanId planId,
      ConnectorId connector,
      @Field(doc = "The tool's dotted name, exact.", example = "sandbox.payment.refund")
          String tool,
      @Field(
              doc = "The single-flight key: side effects on one entity run one after another.",
              example = "order:1043")
          String entityKey,
      @Field(
              doc =
                  "The action's key for duplicate suppression. Each workspace of a tenant and mode"
                      + " has one namespace; what belongs to no workspace has one of its own. Keys"
                      + " are kept for good: what was applied under a key is not run again.",
              example = "auto_4bdd65640ed22c6e3e244b2668cdbfeb")
          String idempotencyKey,
      @Field(
              doc =
                  "The executor's disposition. `ALLOW` and `ALERT` (after an approval) ran the"
                      + " action, `BLOCK` refused it. `DEDUP` did not run it because its"
                      + " idempotency_key had been applied before.",
              example = "ALLOW")
          Disposition disposition,
      @Field(doc = "True if the action was disposed without error.", example = "true") boolean ok,
      @Field(doc = "Identifier of its receipt.") ReceiptId receiptId,
      @Field(
              doc =
                  "True if the action was applied, its tool declares an inverse, and the source"
                      + " system's answer yielded what the inverse needs. Stays true after an undo.",
              example = "true")
          boolean undoable,
      @Field(doc = "True if an undo of the action was applied.", example = "false") boolean undone,
      @Field(
              doc =
                  "Time at which the executor disposed the action: RFC 3339 in UTC, to the"
                      + " millisecond.",
              example = "2026-11-22T03:16:32.950Z")
          Instant disposedAt) {
    static Item of(Action action) {
      Action.Terms terms = action.terms();
      Action.Disposal disposal = Objects.requireNonNull(action.disposal());
      return new Item(
          action.id(),
          "action",
          terms.planId(),
          terms.connector(),
          terms.tool(),
          terms.entityKey().value(),
          terms.idempotencyKey(),
          disposal.disposition(),
          disposal.ok(),
          disposal.receiptId(),
          action.undoable(),
          action.undone(),
          disposal.disposedAt());
    }
  }
}
