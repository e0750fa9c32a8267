package io.actiongovernance.action;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SpanKind;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Stored;
import io.actiongovernance.policy.ActionDigest;
import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.tally.Reservation;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An action: its proposal, which never changes, and its later results, each written once
 * (specification, Action object).
 *
 * @param disposal how the executor disposed of the action; null until then
 * @param closing why the action will never run; null if it may still run or did run
 * @param resolution statement of the action's outcome; null until it is resolved
 */
public record Action(
    ActionId id,
    Partition partition,
    Terms terms,
    @Nullable Disposal disposal,
    @Nullable Closing closing,
    @Nullable Resolution resolution,
    Undo undo) {
  public static final int MOST_OF_A_PLAN = 50;

  public Action(ActionId id, Partition partition, Terms terms) {
    this(id, partition, terms, null, null, null, Undo.NONE);
  }

  /**
   * Terms that were proposed.
   *
   * @param position its place in the plan, from 0
   * @param toolDigest digest of the tool as it was evaluated
   * @param read whether its tool only reads; the source system's word alone is not enough for that
   * @param summary what it does, for people
   * @param facts policy's input besides tool and arguments
   * @param verdict the verdict at proposal
   * @param limitedBy the limits that made that verdict ALERT, if any
   * @param digest the digest that an approval of it is bound to
   * @param undoing the undo that this action makes; null for a planned action
   * @param trace position in the trace that led to its plan, or null; for an undo, the original's
   * @param approval who must approve it, by the guardrail that held it; null if every principal
   *     with the right to approve may
   * @param timed whether the guardrails of its verdict depended on the time
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
      String toolDigest,
      boolean read,
      ObjectNode args,
      String summary,
      Facts facts,
      String idempotencyKey,
      Verdict verdict,
      List<Limit> limitedBy,
      String digest,
      @Nullable Undoing undoing,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TraceParent trace,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ApprovalPolicy approval,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean timed) {

    public Terms {
      limitedBy = List.copyOf(limitedBy);
    }

    /**
     * Returns whether this is an undo that waits for no approval. Such an undo belongs to no plan.
     */
    public boolean undoesAtOnce() {
      return undoing != null && !undoing.held();
    }

    private Terms undoing(Undoing other) {
      return new Terms(
          planId,
          position,
          operatorId,
          eventId,
          correlationId,
          workspaceId,
          connector,
          tool,
          toolDigest,
          read,
          args,
          summary,
          facts,
          idempotencyKey,
          verdict,
          limitedBy,
          digest,
          other,
          trace,
          approval,
          timed);
    }

    /** Returns the trace position of an action's call; null if the action is in no trace. */
    public @Nullable TraceParent traceOf(ActionId action) {
      return trace == null ? null : trace.child(SpanKind.EXECUTE_TOOL.spanId(action));
    }

    public @Nullable BigDecimal value() {
      return facts.value();
    }

    public @Nullable String currency() {
      return facts.currency();
    }

    public EntityKey entityKey() {
      return facts.entityKey();
    }

    /** Returns the input that guardrails judge, at an instant. */
    public Candidate candidate(Instant at) {
      return new Candidate(connector, tool, verdict.tier(), read, args, facts, at);
    }

    /** Returns the digest that its idempotency key stands for. */
    public String effectDigest() {
      return ActionDigest.ofEffect(connector, tool, args, facts);
    }
  }

  /**
   * Terms of an undo: the action that it undoes, who asked for it, and why.
   *
   * @param undoneBy name that the request gives, or the key's name
   * @param decider who asked for it, as the service knows it
   * @param proposedBy who proposed the original
   * @param rule the guardrail that decided the original, or null
   * @param guardrailsVersion version of the guardrails that evaluated the undo
   * @param part the part of the allowance that is reserved for it. Null if the policy blocked it
   *     from the start, and for a held undo, for which its plan's claim reserves
   * @param held whether it is in a plan of its own, which waits for an approval
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
      Allowance.@Nullable Part part,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean held) {
    private Undoing with(Allowance.Part reserved) {
      return new Undoing(
          original,
          undoneBy,
          decider,
          proposedBy,
          reason,
          requestId,
          rule,
          guardrailsVersion,
          reserved,
          held);
    }
  }

  /**
   * Disposal of an action by the executor.
   *
   * @param verdict the verdict that bound
   * @param inverse the call that would undo the action; null if none. For an unknown outcome, the
   *     call that would undo it if it turns out to have applied
   * @param holder the action that holds its idempotency key and made it deduplicated, refused or
   *     unknown; null if none
   * @param superseded the action whose unknown call under the same key this one repeated and
   *     applied; null if none
   * @param resultSha256 digest that finds the call's answer while the answer is kept; null if it
   *     was not kept
   */
  public record Disposal(
      Disposition disposition,
      ReceiptOutcome outcome,
      boolean ok,
      @Nullable String error,
      ReceiptId receiptId,
      Verdict verdict,
      @Nullable String approver,
      @Nullable Inverse inverse,
      @Stored("holds") List<Reservation> reservations,
      @Nullable KeyHolder holder,
      @Nullable ActionId superseded,
      @Nullable String resultSha256,
      Instant disposedAt) {
    public Disposal {
      reservations = List.copyOf(reservations);
    }

    /**
     * Returns whether the action waits to be resolved, because nobody can know if its own call took
     * effect.
     */
    public boolean awaitsResolution() {
      return outcome == ReceiptOutcome.UNKNOWN && holder == null;
    }
  }

  /**
   * Action that holds the idempotency key that another action asked for.
   *
   * @param proposedBy its proposer, as answers show it
   */
  public record KeyHolder(ActionId action, @Nullable JsonNode proposedBy) {}

  /**
   * Statement about an action whose outcome was unknown.
   *
   * @param upstreamReference the source system's own id of the effect, or null
   */
  public record Resolution(
      boolean applied,
      @Nullable String upstreamReference,
      String reason,
      ReceiptId receiptId,
      Principal resolvedBy,
      Instant resolvedAt) {}

  /**
   * Declared inverse of an applied action.
   *
   * @param toolDigest digest of the inverse's tool at that time; null if none
   * @param args its complete arguments; null if the source system's answer did not yield them, they
   *     are too long to keep, or they name an entity other than the action's
   */
  public record Inverse(String tool, @Nullable String toolDigest, @Nullable ObjectNode args) {
    /**
     * Maximum length in bytes of the arguments that are kept. They are stored beside an action's
     * own arguments, which may take 256 KB.
     */
    public static final int LONGEST_ARGS = 100_000;

    /** Returns the inverse with the arguments from the answer, unless they are too long to keep. */
    public static Inverse yielded(
        String tool, @Nullable String toolDigest, @Nullable ObjectNode args) {
      boolean kept = args != null && Json.write(args).getBytes(UTF_8).length <= LONGEST_ARGS;
      return new Inverse(tool, toolDigest, kept ? args : null);
    }
  }

  /**
   * Reason that an action will never run: it was skipped, or its plan was vetoed or has expired.
   */
  public record Closing(ReceiptOutcome outcome, ReceiptId receiptId) {}

  /**
   * State of an action's undo.
   *
   * @param inFlight the undo action in progress, or null
   * @param undoneBy the undo action that succeeded, or null
   * @param asked the last plan that was requested to undo it under an approval, even if that plan
   *     has ended; null if none
   */
  public record Undo(
      @Nullable ActionId inFlight, @Nullable ActionId undoneBy, @Nullable PlanId asked) {
    public static final Undo NONE = new Undo(null, null, null);
  }

  /** Returns this undo with the part of the allowance that is reserved for it. */
  public Action undoing(Allowance.Part reserved) {
    Undoing undoing = Objects.requireNonNull(terms.undoing());
    return new Action(
        id, partition, terms.undoing(undoing.with(reserved)), disposal, closing, resolution, undo);
  }

  public Action disposed(Disposal made) {
    return new Action(id, partition, terms, made, closing, resolution, undo);
  }

  public Action resolved(Resolution made) {
    return new Action(id, partition, terms, disposal, closing, made, undo);
  }

  /**
   * Returns when the action was proposed. For an undo that waits for no approval, returns when it
   * was requested.
   */
  public Instant proposedAt() {
    return terms.undoesAtOnce() ? id.madeAt() : terms.planId().madeAt();
  }

  /** Returns the verdict that the action was disposed by, or the proposal's verdict until then. */
  public Verdict verdict() {
    return disposal == null ? terms.verdict() : disposal.verdict();
  }

  public boolean isBlocked() {
    return disposal != null && disposal.disposition() == Disposition.BLOCK;
  }

  /**
   * Returns whether the action was applied, its tool declares an inverse, and the inverse could be
   * made from the action's arguments and the source system's answer. Stays true after an undo.
   */
  public boolean undoable() {
    return lacksInverse() == null;
  }

  /** Returns why no inverse could undo the action, in one sentence; null if one can. */
  public @Nullable String lacksInverse() {
    Inverse inverse = disposal == null ? null : disposal.inverse();
    if (!applied() || inverse == null) {
      return "The action did not apply, or its tool declares no inverse.";
    }
    return inverse.args() == null
        ? "The action cannot be undone: the source system's answer lacks a value that the inverse needs, or the inverse would act on another entity."
        : null;
  }

  /** Returns the receipts of its results, oldest first. */
  public List<ReceiptId> receipts() {
    return Stream.of(
            closing == null ? null : closing.receiptId(),
            disposal == null ? null : disposal.receiptId(),
            resolution == null ? null : resolution.receiptId())
        .flatMap(Stream::ofNullable)
        .toList();
  }

  /** Returns whether the action took effect, by its disposal or its resolution. */
  public boolean applied() {
    return (resolution != null && resolution.applied())
        || (disposal != null && disposal.outcome() == ReceiptOutcome.APPLIED);
  }

  public boolean unresolved() {
    return resolution == null && disposal != null && disposal.awaitsResolution();
  }

  public boolean undone() {
    return undo.undoneBy() != null;
  }

  /** Returns the entities of these actions without duplicates, in the order of the actions. */
  public static Set<EntityKey> entities(List<Action> actions) {
    Set<EntityKey> entities = new LinkedHashSet<>();
    actions.forEach(action -> entities.add(action.terms().entityKey()));
    return entities;
  }

  /** Returns whether the action is disposed or closed. */
  public boolean settled() {
    return disposal != null || closing != null;
  }

  /**
   * Computes the digest of the stored form again, so that the executor can compare it with the
   * approved digest.
   */
  public String computeDigest() {
    return ActionDigest.of(
        partition.tenant(),
        terms.operatorId(),
        terms.connector(),
        terms.tool(),
        terms.toolDigest(),
        terms.args(),
        terms.facts(),
        terms.idempotencyKey());
  }
}
