package io.actiongovernance.action;

import io.actiongovernance.json.Json;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptOutcome;

/** Common fields of every receipt about an action. */
public final class ActionReceipts {
  private ActionReceipts() {}

  public static Receipt.Kind kind(Action action) {
    return action.terms().undoing() == null ? Receipt.Kind.ACTION : Receipt.Kind.UNDO;
  }

  /**
   * Returns a draft that names the action, its ancestors and the form that was evaluated. If the
   * guardrails depended on the time, it names that too.
   */
  public static ReceiptDraft draft(Action action, Receipt.Kind kind, ReceiptOutcome outcome) {
    Action.Terms terms = action.terms();
    Action.Undoing undoing = terms.undoing();
    return new ReceiptDraft(action.partition(), kind, outcome)
        .with("event_id", terms.eventId())
        .with("plan_id", terms.planId())
        .with("action_id", action.id())
        .with("operator_id", terms.operatorId())
        .with("correlation_id", terms.correlationId())
        .with("workspace_id", terms.workspaceId())
        .with("connector", terms.connector())
        .with("tool", terms.tool())
        .with("entity_key", terms.entityKey())
        .with("idempotency_key", terms.idempotencyKey())
        .value(terms.value())
        .with("currency", terms.currency())
        .with("summary", terms.summary())
        .with("tool_digest", terms.toolDigest())
        .json("claimed", Json.tree(terms.facts().asserted()))
        .with("action_digest", terms.digest())
        .with("undo_of", undoing == null ? null : undoing.original())
        .evaluatedAt(terms.timed() ? action.proposedAt() : null)
        .trace(terms.trace());
  }
}
