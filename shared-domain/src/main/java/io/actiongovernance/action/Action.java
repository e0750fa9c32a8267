package io.actiongovernance.action;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.policy.ActionDigest;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.Outcome;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An action: what was proposed, which never changes, and what became of it, which is written once
 * (specification, Action object).
 *
 * @param disposal how the executor disposed of it, null until then
 * @param closing why it will never run, null if it may or did
 * @param undo what became of undoing it
 */
public record Action(
    ActionId id,
    Partition partition,
    Terms terms,
    @Nullable Disposal disposal,
    @Nullable Closing closing,
    Undo undo) {

  /**
   * What was proposed.
   *
   * @param position its place in the plan, from 0
   * @param verdict the verdict at proposal
   * @param limitedBy the limits for which that verdict is ALERT, if it is for any
   * @param digest what an approval of it is bound to
   * @param undoing what this action undoes, null for a planned action
   */
  public record Terms(
      PlanId planId,
      int position,
      OperatorId operatorId,
      @Nullable EventId eventId,
      CorrelationId correlationId,
      @Nullable String workspaceId,
      ConnectorId connector,
      String tool,
      ObjectNode args,
      @Nullable BigDecimal value,
      String entityKey,
      String idempotencyKey,
      Verdict verdict,
      // Earlier versions stored one, or null.
      @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
          @JsonSetter(nulls = Nulls.AS_EMPTY)
          List<Limit> limitedBy,
      String digest,
      @Nullable Undoing undoing) {

    public Terms {
      limitedBy = List.copyOf(limitedBy);
    }

    /** This action as the guardrails judge it. */
    public Candidate candidate() {
      return new Candidate(connector, tool, verdict.tier(), args, value, entityKey);
    }
  }

  /**
   * The undo that an undo action is.
   *
   * @param undoneBy who asked for it, as the request says or by the key's name
   * @param decider who asked for it, as the service knows it
   * @param proposedBy who proposed the original
   * @param rule the guardrail that decided the original, or null
   * @param guardrailsVersion of the guardrails that vetted the undo
   * @param part what was reserved of the allowance, null if nothing was
   */
  public record Undoing(
      ActionId original,
      String undoneBy,
      Decider decider,
      ProposedBy proposedBy,
      @Nullable String reason,
      RequestId requestId,
      @Nullable String rule,
      long guardrailsVersion,
      Allowance.@Nullable Part part) {}

  /**
   * How the executor disposed of an action.
   *
   * @param verdict the verdict that bound
   * @param inverse the call that would undo it, null if there is none
   * @param holds the policy budgets that were reserved for it
   */
  public record Disposal(
      Disposition disposition,
      Outcome outcome,
      boolean ok,
      @Nullable String error,
      ReceiptId receiptId,
      Verdict verdict,
      @Nullable String approver,
      @Nullable Inverse inverse,
      List<String> holds,
      Instant disposedAt) {
    public Disposal {
      holds = List.copyOf(holds);
    }
  }

  /**
   * The declared inverse of an applied action.
   *
   * @param args its arguments filled in; null where the source system's answer did not yield them
   */
  public record Inverse(String tool, @Nullable ObjectNode args) {}

  /** Why an action will never run: it was skipped, or its plan vetoed or expired. */
  public record Closing(Outcome outcome, ReceiptId receiptId) {}

  /**
   * The undo of an action.
   *
   * @param inFlight the undo action that is under way, or null
   * @param undoneBy the undo action that succeeded, or null
   */
  public record Undo(@Nullable ActionId inFlight, @Nullable ActionId undoneBy) {
    public static final Undo NONE = new Undo(null, null);
  }

  /** Whether its tool declares an inverse and it was applied. Stays true after an undo. */
  public boolean undoable() {
    return disposal != null && disposal.inverse() != null;
  }

  public boolean undone() {
    return undo.undoneBy() != null;
  }

  /** The entities that actions are about, each once, in their order. */
  public static Set<String> entities(List<Action> actions) {
    Set<String> entities = new LinkedHashSet<>();
    actions.forEach(action -> entities.add(action.terms().entityKey()));
    return entities;
  }

  /** Whether nothing remains to be done for it. */
  public boolean settled() {
    return disposal != null || closing != null;
  }

  /**
   * The digest of the stored form, computed anew: what the executor holds against the approved one.
   */
  public String computeDigest() {
    return ActionDigest.of(
        partition.tenant(),
        terms.operatorId(),
        terms.connector(),
        terms.tool(),
        terms.args(),
        terms.value(),
        terms.entityKey(),
        terms.idempotencyKey());
  }
}
