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
 * An action: what was proposed, which never changes, and what became of it, which is written once
 * (specification, Action object).
 *
 * @param disposal how the executor disposed of it, null until then
 * @param closing why it will never run, null if it may or did
 * @param resolution what somebody said came of it, null where nobody did
 * @param undo what became of undoing it
 */
public record Action(
    ActionId id,
    Partition partition,
    Terms terms,
    @Nullable Disposal disposal,
    @Nullable Closing closing,
    @Nullable Resolution resolution,
    Undo undo) {
  /** The most actions of a plan. */
  public static final int MOST_OF_A_PLAN = 50;

  /** An action as proposed: nothing has become of it yet. */
  public Action(ActionId id, Partition partition, Terms terms) {
    this(id, partition, terms, null, null, null, Undo.NONE);
  }

  /**
   * What was proposed.
   *
   * @param position its place in the plan, from 0
   * @param toolDigest of the tool as it was evaluated
   * @param read whether its tool only reads, by more than the word of its source system
   * @param summary what it does, for people
   * @param facts what policy goes by besides tool and arguments
   * @param verdict the verdict at proposal
   * @param limitedBy the limits for which that verdict is ALERT, if it is for any
   * @param digest what an approval of it is bound to
   * @param undoing what this action undoes, null for a planned action
   * @param trace where the trace stands of who led to its plan, or null; of an undo, the original's
   * @param approval who must approve it, as the guardrail said that held it; null where anybody may
   *     who has the right to
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
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ApprovalPolicy approval) {

    public Terms {
      limitedBy = List.copyOf(limitedBy);
    }

    /**
     * Whether it is an undo that somebody asked for and that waits for nobody: it is in no plan.
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
          approval);
    }

    /** Where the trace stands in the call of an action with these terms, if it is in one. */
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

    /** This action as the guardrails evaluate it. */
    public Candidate candidate() {
      return new Candidate(connector, tool, verdict.tier(), read, args, facts);
    }

    /** The digest of what its idempotency key stands for. */
    public String effectDigest() {
      return ActionDigest.ofEffect(connector, tool, args, facts);
    }
  }

  /**
   * What makes an action an undo: the action that it takes back, who asked for that, and why.
   *
   * @param undoneBy who asked for it, as the request says or by the key's name
   * @param decider who asked for it, as the service knows it
   * @param proposedBy who proposed the original
   * @param rule the guardrail that decided the original, or null
   * @param guardrailsVersion of the guardrails that the undo was evaluated by
   * @param part what was reserved of the allowance; null where the policy blocked it from the
   *     start, and of one that is held: its plan's claim reserves for it
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
   * How the executor disposed of an action.
   *
   * @param verdict the verdict that bound
   * @param inverse the call that would undo it, null if there is none; of an unknown outcome, the
   *     one that would if it comes to be known to have applied
   * @param reservations what was reserved of limits for it
   * @param holder the action that holds its idempotency key, for whose sake it was deduplicated,
   *     refused or is unknown; null where there is none
   * @param superseded the action whose unknown call under the same key this one repeated and
   *     applied; null where there is none
   * @param resultSha256 by which what its call came back with is found, as long as that is kept;
   *     null where it was not
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

    /** Whether nobody can know whether its own call took effect, and it waits to be resolved. */
    public boolean awaitsResolution() {
      return outcome == ReceiptOutcome.UNKNOWN && holder == null;
    }
  }

  /**
   * The action that has the idempotency key that another asked for.
   *
   * @param proposedBy who proposed it, as it is answered
   */
  public record KeyHolder(ActionId action, @Nullable JsonNode proposedBy) {}

  /**
   * What somebody said came of an action whose outcome was unknown.
   *
   * @param upstreamReference the source system's own id of what it did, or null
   */
  public record Resolution(
      boolean applied,
      @Nullable String upstreamReference,
      String reason,
      ReceiptId receiptId,
      Principal resolvedBy,
      Instant resolvedAt) {}

  /**
   * The declared inverse of an applied action.
   *
   * @param toolDigest of the inverse's tool as it was then; null where there was none
   * @param args its arguments filled in; null where the source system's answer did not yield them,
   *     or yielded more than is kept, or they name another entity than the action's
   */
  public record Inverse(String tool, @Nullable String toolDigest, @Nullable ObjectNode args) {
    /**
     * Bytes of the arguments that are kept beside an action's own, of which there may be 256 KB.
     */
    public static final int LONGEST_ARGS = 100_000;

    /** The inverse with the arguments that the answer yielded, as far as they can be kept. */
    public static Inverse yielded(
        String tool, @Nullable String toolDigest, @Nullable ObjectNode args) {
      boolean kept = args != null && Json.write(args).getBytes(UTF_8).length <= LONGEST_ARGS;
      return new Inverse(tool, toolDigest, kept ? args : null);
    }
  }

  /** Why an action will never run: it was skipped, or its plan vetoed or expired. */
  public record Closing(ReceiptOutcome outcome, ReceiptId receiptId) {}

  /**
   * The undo of an action.
   *
   * @param inFlight the undo action that is under way, or null
   * @param undoneBy the undo action that succeeded, or null
   * @param asked the plan that was last asked for, to undo it under an approval; it may be over by
   *     now; null where none ever was
   */
  public record Undo(
      @Nullable ActionId inFlight, @Nullable ActionId undoneBy, @Nullable PlanId asked) {
    public static final Undo NONE = new Undo(null, null, null);
  }

  /** The same undo with what was reserved of the allowance for it. */
  public Action undoing(Allowance.Part reserved) {
    Undoing undoing = Objects.requireNonNull(terms.undoing());
    return new Action(
        id, partition, terms.undoing(undoing.with(reserved)), disposal, closing, resolution, undo);
  }

  /** The same once it is disposed so. */
  public Action disposed(Disposal made) {
    return new Action(id, partition, terms, made, closing, resolution, undo);
  }

  /** The same once it is resolved so. */
  public Action resolved(Resolution made) {
    return new Action(id, partition, terms, disposal, closing, made, undo);
  }

  /** The verdict it was disposed by; until then, the proposal's. */
  public Verdict verdict() {
    return disposal == null ? terms.verdict() : disposal.verdict();
  }

  /** Whether the policy refused it. */
  public boolean isBlocked() {
    return disposal != null && disposal.disposition() == Disposition.BLOCK;
  }

  /**
   * Whether it was applied, its tool declares an inverse, and that could be made of its arguments
   * and the source system's answer. Stays true after an undo.
   */
  public boolean undoable() {
    return lacksInverse() == null;
  }

  /** Why there is no inverse that could take it back, in one sentence; null if there is one. */
  public @Nullable String lacksInverse() {
    Inverse inverse = disposal == null ? null : disposal.inverse();
    if (!applied() || inverse == null) {
      return "The action did not apply, or its tool declares no inverse.";
    }
    return inverse.args() == null
        ? "The inverse cannot be made: the source system's answer lacks what it needs, or it would"
            + " name another entity than the action's."
        : null;
  }

  /** The receipts of what became of it, oldest first. */
  public List<ReceiptId> receipts() {
    return Stream.of(
            closing == null ? null : closing.receiptId(),
            disposal == null ? null : disposal.receiptId(),
            resolution == null ? null : resolution.receiptId())
        .flatMap(Stream::ofNullable)
        .toList();
  }

  /** Whether it took effect, as far as anybody knows. */
  public boolean applied() {
    return (resolution != null && resolution.applied())
        || (disposal != null && disposal.outcome() == ReceiptOutcome.APPLIED);
  }

  /** Whether somebody has to say what came of it. */
  public boolean unresolved() {
    return resolution == null && disposal != null && disposal.awaitsResolution();
  }

  public boolean undone() {
    return undo.undoneBy() != null;
  }

  /** The entities that actions are about, each once, in their order. */
  public static Set<EntityKey> entities(List<Action> actions) {
    Set<EntityKey> entities = new LinkedHashSet<>();
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
        terms.toolDigest(),
        terms.args(),
        terms.facts(),
        terms.idempotencyKey());
  }
}
