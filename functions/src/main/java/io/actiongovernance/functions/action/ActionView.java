package io.actiongovernance.functions.action;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.policy.Claim;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The action object (specification, Action object; contract, section 2). {@code error} is left out
 * unless {@code ok} is false, {@code value} when none was proposed.
 */
public record ActionView(
    String id,
    String object,
    String planId,
    @Nullable String eventId,
    String operatorId,
    String correlationId,
    String connector,
    String tool,
    JsonNode args,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigDecimal value,
    @Nullable String currency,
    String entityKey,
    String idempotencyKey,
    String summary,
    Set<Claim> claimed,
    String actionDigest,
    String toolDigest,
    Verdict verdict,
    @Nullable Disposition disposition,
    @Nullable Boolean ok,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String error,
    @Nullable String receiptId,
    boolean skipped,
    boolean undoable,
    boolean undone,
    @Nullable String undoOf,
    @Nullable String undoActionId,
    @Nullable String approver,
    @Nullable String holderActionId,
    @Nullable JsonNode holderProposedBy,
    @Nullable Resolution resolution,
    @Nullable Instant disposedAt) {

  /** What somebody said came of it (contract, section 2, Resolving). */
  public record Resolution(
      String outcome,
      @Nullable String upstreamReference,
      String reason,
      String receiptId,
      JsonNode resolvedByPrincipal,
      Instant resolvedAt) {
    static @Nullable Resolution of(Action.@Nullable Resolution resolution) {
      return resolution == null
          ? null
          : new Resolution(
              resolution.applied() ? "applied" : "not_applied",
              resolution.upstreamReference(),
              resolution.reason(),
              resolution.receiptId().value(),
              resolution.resolvedBy().wire(),
              resolution.resolvedAt());
    }
  }

  public static ActionView of(Action action) {
    Action.Disposal disposal = action.disposal();
    return of(action, disposal == null ? action.terms().verdict() : disposal.verdict());
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
        action.id().value(),
        "action",
        terms.planId().value(),
        terms.eventId() == null ? null : terms.eventId().value(),
        terms.operatorId().value(),
        terms.correlationId().value(),
        terms.connector().value(),
        terms.tool(),
        terms.args(),
        terms.value(),
        terms.currency(),
        terms.entityKey(),
        terms.idempotencyKey(),
        terms.summary(),
        terms.facts().claimed(),
        terms.digest(),
        terms.toolDigest(),
        verdict,
        disposal == null ? null : disposal.disposition(),
        disposal == null ? null : disposal.ok(),
        disposal == null ? null : disposal.error(),
        receiptId(disposal, closing),
        closing != null && closing.outcome() == ReceiptOutcome.SKIPPED,
        action.undoable(),
        action.undone(),
        undoing == null ? null : undoing.original().value(),
        action.undo().undoneBy() == null ? null : action.undo().undoneBy().value(),
        disposal == null ? null : disposal.approver(),
        holder == null ? null : holder.action().value(),
        holder == null ? null : holder.proposedBy(),
        Resolution.of(action.resolution()),
        disposal == null ? null : disposal.disposedAt());
  }

  private static @Nullable String receiptId(
      Action.@Nullable Disposal disposal, Action.@Nullable Closing closing) {
    if (disposal != null) {
      return disposal.receiptId().value();
    }
    return closing == null ? null : closing.receiptId().value();
  }

  /** The action list item, of a disposed action. */
  record Item(
      String id,
      String object,
      String planId,
      String connector,
      String tool,
      String entityKey,
      String idempotencyKey,
      @Nullable Disposition disposition,
      @Nullable Boolean ok,
      @Nullable String receiptId,
      boolean undoable,
      boolean undone,
      @Nullable Instant disposedAt) {
    static Item of(Action action) {
      ActionView view = ActionView.of(action);
      return new Item(
          view.id,
          view.object,
          view.planId,
          view.connector,
          view.tool,
          view.entityKey,
          view.idempotencyKey,
          view.disposition,
          view.ok,
          view.receiptId,
          view.undoable,
          view.undone,
          view.disposedAt);
    }
  }
}
