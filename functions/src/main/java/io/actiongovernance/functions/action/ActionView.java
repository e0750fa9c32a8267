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
 * The action object (specification, Action object; contract, section 2). {@code error} is left out
 * unless {@code ok} is false, {@code value} when none was proposed.
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
            doc = "What the policy says of an action.",
            example =
                "{\"decision\":\"ALERT\",\"tier\":2,\"rule\":\"large\",\"reason\":null,\"limit\":null}")
        VerdictView verdict,
    @Field(
            doc =
                "How the executor disposed it: `ALLOW` and `ALERT` (after an approval) ran it, `BLOCK` refused it, `DEDUP` did not run it because its idempotency_key had been applied before. Null until disposed.",
            example = "ALERT")
        @Nullable Disposition disposition,
    @Field(
            doc = "Whether the disposition completed without error; null until disposed.",
            example = "true")
        @Nullable Boolean ok,
    @Field(
            doc =
                "Only when `ok` is false: for `BLOCK` always `blocked by trust policy`, for a failure the source system's error, `outcome unknown: …` when nobody can know whether it took effect.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String error,
    @Field(doc = "Identifier of its receipt, refusals included; null until disposed.")
        @Nullable ReceiptId receiptId,
    @Field(
            doc =
                "Whether the approval of its plan left it out: it has a receipt and no disposition then.",
            example = "false")
        boolean skipped,
    @Field(
            doc =
                "Whether it was applied, its tool declares an inverse, and the source system's answer yielded what that needs; stays true after an undo.",
            example = "true")
        boolean undoable,
    @Field(doc = "Whether an undo of it was applied.", example = "false") boolean undone,
    @Field(doc = "Identifier of the action that this one undoes.") @Nullable ActionId undoOf,
    @Field(doc = "Identifier of the action that undid this one.") @Nullable ActionId undoActionId,
    @Field(
            doc = "Who approved it, or asked for this undo; null when nobody had to.",
            example = "dana@acme.example")
        @Nullable String approver,
    @Field(
            doc =
                "The action that holds the idempotency key, where this one was deduplicated, refused or is unknown for its sake; else null.")
        @Nullable ActionId holderActionId,
    @Field(
            doc = "Who proposed the action that holds the idempotency key; else null.",
            as = ProposedByView.class)
        @Nullable JsonNode holderProposedBy,
    @Field(
            doc =
                "What somebody said came of it, once its outcome was unknown; null where nobody did.")
        @Nullable Resolution resolution,
    @Field(
            doc = "When the executor had disposed it, RFC 3339; null until then.",
            example = "2026-11-22T03:16:33.406Z")
        @Nullable Instant disposedAt) {

  /** What somebody said came of it (contract, section 2, Resolving). */
  @Doc("What somebody said came of an action whose outcome was unknown.")
  public record Resolution(
      @Field(doc = "Whether the call took effect.") SaidOutcome outcome,
      @Field(doc = "The source system's own id of what it did; null when none was given.")
          @Nullable String upstreamReference,
      @Field(doc = "How they know, as it was given.") String reason,
      @Field(doc = "Identifier of the receipt of kind `resolution`.") ReceiptId receiptId,
      @Field(doc = "Who did it, as the service knows it.", as = PrincipalView.class)
          ObjectNode resolvedByPrincipal,
      @Field(
              doc = "When: RFC 3339 in UTC, to the millisecond.",
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
   * The same with another verdict.
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

  /** The action list item, of a disposed action. */
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
                  "The action's key for duplicate suppression, one namespace for a tenant and mode, kept for good: what was applied under it is not run again.",
              example = "auto_4bdd65640ed22c6e3e244b2668cdbfeb")
          String idempotencyKey,
      @Field(
              doc =
                  "How the executor disposed it: `ALLOW` and `ALERT` (after an approval) ran it, `BLOCK` refused it, `DEDUP` did not run it because its idempotency_key had been applied before.",
              example = "ALLOW")
          Disposition disposition,
      @Field(doc = "Whether it was disposed without error.", example = "true") boolean ok,
      @Field(doc = "Identifier of its receipt.") ReceiptId receiptId,
      @Field(
              doc =
                  "Whether it was applied, its tool declares an inverse, and the source system's answer yielded what that needs; stays true after an undo.",
              example = "true")
          boolean undoable,
      @Field(doc = "Whether an undo of it was applied.", example = "false") boolean undone,
      @Field(
              doc = "When the executor had disposed it: RFC 3339 in UTC, to the millisecond.",
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
