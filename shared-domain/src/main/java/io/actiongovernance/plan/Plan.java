package io.actiongovernance.plan;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.halt.Freeze;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.ApprovalPolicy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Execution plan: its terms, fixed at proposal, and its progress (specification, Plan object).
 *
 * @param claim who may run which of its actions; null until it is claimed
 * @param ending how it ended without running; null if it did not
 * @param freeze effect of halts on its time, as of when it was read; for a plan that is no longer
 *     open, as of its transition
 * @param votes number of times that people have voted on it or withdrawn a vote
 * @param outcomes the outcomes of its actions; null unless it is executed
 */
public record Plan(
    PlanId id,
    Partition partition,
    Terms terms,
    State state,
    @Nullable WaitingOn waitingOn,
    @Nullable Claim claim,
    @Nullable Ending ending,
    @Nullable Instant disposedAt,
    Freeze freeze,
    long votes,
    @Nullable PlanOutcomes outcomes) {

  /** Time before its end at which a plan that waits for people gets a timer. */
  public static final Duration TIMER_AHEAD = Duration.ofMinutes(15);

  /** Creates a plan whose time no halt has affected. */
  public Plan(
      PlanId id,
      Partition partition,
      Terms terms,
      State state,
      @Nullable WaitingOn waitingOn,
      @Nullable Claim claim,
      @Nullable Ending ending,
      @Nullable Instant disposedAt) {
    this(id, partition, terms, state, waitingOn, claim, ending, disposedAt, Freeze.NONE, 0, null);
  }

  /** Progress of a plan. EXECUTING is hidden: the API shows it as proposed. */
  public enum State {
    PROPOSED,
    EXECUTING,
    EXECUTED,
    VETOED,
    EXPIRED
  }

  /**
   * Terms fixed at proposal.
   *
   * @param requestId the request that led to it; null for schedules
   * @param provider the provider of the operator's model, or {@link DraftedBy#AGENT}
   * @param proposedBy the full proposer; answers show less of it
   * @param outline summary of its actions for lists
   * @param held whether a person must approve it
   * @param expiresAt when it expires, unless a halt froze some of its time
   * @param amends the plan that it replaces; null if none
   * @param approvals who must approve its held actions, each policy once; empty if every principal
   *     with the right to approve may
   */
  public record Terms(
      OperatorId operatorId,
      @Nullable EventId eventId,
      @Nullable String workspaceId,
      CorrelationId correlationId,
      @Nullable RequestId requestId,
      long guardrailsVersion,
      String provider,
      ProposedBy proposedBy,
      @Nullable String reasoning,
      List<ActionId> actionIds,
      Set<ConnectorId> connectors,
      Outline outline,
      boolean held,
      Instant proposedAt,
      Instant expiresAt,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlanId amends,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ApprovalPolicy> approvals) {
    public Terms {
      // Absent from storage if there are none.
      approvals = List.copyOf(Objects.requireNonNullElse(approvals, List.of()));
      actionIds = List.copyOf(actionIds);
      connectors = Set.copyOf(connectors);
    }
  }

  /**
   * Summary of a plan's actions as proposed, so that a list need not read them.
   *
   * @param maxTier highest tier of the actions that may run; of all actions if none may run
   * @param summary summary of the first action, as value and currency are the first action's
   * @param values sums over the actions that may run; absent from storage if none
   * @param more number of actions that may run besides the first
   */
  public record Outline(
      int maxTier,
      String summary,
      @Nullable BigDecimal value,
      @Nullable String currency,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ValueSum> values,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) int more) {
    public Outline {
      values = List.copyOf(Objects.requireNonNullElse(values, List.of()));
    }

    public static Outline of(List<Action> actions) {
      List<Action> running =
          actions.stream().filter(action -> action.terms().verdict().mayRun()).toList();
      int maxTier =
          (running.isEmpty() ? actions : running)
              .stream().mapToInt(action -> action.terms().verdict().tier()).max().orElseThrow();
      Action.Terms first = actions.getFirst().terms();
      return new Outline(
          maxTier,
          first.summary(),
          first.value(),
          first.currency(),
          ValueSum.of(running),
          running.size() - (first.verdict().mayRun() ? 1 : 0));
    }
  }

  /**
   * Returns when a plan that is proposed at this instant expires. An approval policy may require an
   * earlier end.
   *
   * @param latest the end without any policy
   */
  public static Instant endOf(Instant proposedAt, Instant latest, List<ApprovalPolicy> approvals) {
    return approvals.stream()
        .flatMap(policy -> Optional.ofNullable(policy.withinSeconds()).stream())
        .map(proposedAt::plusSeconds)
        .filter(latest::isAfter)
        .min(Comparator.naturalOrder())
        .orElse(latest);
  }

  /**
   * Sole right to run a plan, written in the transaction that takes the locks.
   *
   * @param key identifies the request or attempt that made the claim, so that the same claim made
   *     again finds itself
   * @param approval null for a plan that needed no approval
   * @param digests the digest that each selected action must still have; actions without one are
   *     skipped
   * @param refused the selected actions that the policy blocked at the claim: they take no lock and
   *     never run
   * @param skipped the receipts of the skipped actions
   * @param part the part of the allowance that is reserved
   * @param uncovered the refused actions that have been held only since the proposal, by a
   *     guardrail whose approval policy the votes did not satisfy
   */
  public record Claim(
      String key,
      @Nullable Approval approval,
      Map<ActionId, String> digests,
      Set<ActionId> refused,
      Map<ActionId, ReceiptId> skipped,
      Allowance.Part part,
      Instant claimedAt,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Set<ActionId> uncovered) {
    public Claim {
      uncovered = Set.copyOf(Objects.requireNonNullElse(uncovered, Set.of()));
      digests = Map.copyOf(digests);
      refused = Set.copyOf(refused);
      skipped = Map.copyOf(skipped);
    }
  }

  /**
   * Part of an approval that a claim keeps; the approval itself is a separate record.
   *
   * @param approver name that the request gives, or the key's name
   * @param decidedBy who approved, as the service knows it
   * @param trace position in the approver's own trace, or null; stored only with the record, so
   *     that the plan's row does not grow
   */
  @JsonIgnoreProperties("trace")
  public record Approval(
      ApprovalId id,
      String approver,
      @Nullable String note,
      List<Decider> decidedBy,
      RequestId requestId,
      @Nullable TraceParent trace) {
    public Approval {
      decidedBy = List.copyOf(decidedBy);
    }
  }

  /**
   * End of a plan that did not run.
   *
   * @param key identifies the request that ended it, so that the same request sent again finds
   *     itself
   * @param vetoedBy name that the request gives, or the key's name; null if it expired
   * @param vetoer who vetoed it, as the service knows it; null if it expired
   * @param receipts the receipt of each action, fixed here so that any later caller can finish
   *     writing them
   * @param withdrawn whether its proposer withdrew it by a veto
   * @param supersededBy the plan that replaces it; null if none
   */
  public record Ending(
      String key,
      @Nullable String vetoedBy,
      @Nullable Decider vetoer,
      @Nullable String reason,
      @Nullable RequestId requestId,
      Map<ActionId, ReceiptId> receipts,
      boolean withdrawn,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PlanId supersededBy) {
    public Ending(
        String key,
        @Nullable String vetoedBy,
        @Nullable Decider vetoer,
        @Nullable String reason,
        @Nullable RequestId requestId,
        Map<ActionId, ReceiptId> receipts,
        boolean withdrawn) {
      this(key, vetoedBy, vetoer, reason, requestId, receipts, withdrawn, null);
    }

    public Ending {
      receipts = Map.copyOf(receipts);
    }
  }

  /**
   * Returns the status as any reader sees it at this instant. A plan past its expiry is expired,
   * whether or not that has been recorded.
   */
  public PlanStatus status(Instant now) {
    return switch (state) {
      case PROPOSED -> open(now) ? PlanStatus.PROPOSED : PlanStatus.EXPIRED;
      case EXECUTING -> PlanStatus.PROPOSED;
      case EXECUTED -> PlanStatus.EXECUTED;
      case VETOED -> PlanStatus.VETOED;
      case EXPIRED -> PlanStatus.EXPIRED;
    };
  }

  /** Returns whether it is proposed and has not expired, as approval, veto and claim require. */
  public boolean open(Instant now) {
    return state == State.PROPOSED && (freeze.standing() || now.isBefore(expiresAt()));
  }

  /** Returns whether it has expired and that is not recorded yet. */
  public boolean overdue(Instant now) {
    return state == State.PROPOSED && !open(now);
  }

  /** Returns the plan as if its expiry were recorded. */
  Plan expired() {
    return new Plan(
        id,
        partition,
        terms,
        State.EXPIRED,
        waitingOn,
        claim,
        ending,
        expiresAt(),
        freeze,
        votes,
        outcomes);
  }

  /** Returns when it expires, with frozen time given back (contract, section 4, Kill switch). */
  public Instant expiresAt() {
    return terms.expiresAt().plus(freeze.frozen());
  }

  /**
   * Returns when to look next at a plan that waits for people: when it gets its timer, and after
   * that when it expires.
   */
  public Instant nextLook(Instant now) {
    Instant timer = expiresAt().minus(TIMER_AHEAD);
    return timer.isAfter(now) ? timer : expiresAt();
  }

  /** Returns the plan as it is when this claim is written. */
  public Plan executing(Claim made) {
    return new Plan(
        id,
        partition,
        terms,
        State.EXECUTING,
        WaitingOn.EXECUTION,
        made,
        ending,
        disposedAt,
        new Freeze(freeze.frozen(), false),
        votes,
        outcomes);
  }

  Plan waitingOn(WaitingOn other) {
    return new Plan(
        id, partition, terms, state, other, claim, ending, disposedAt, freeze, votes, outcomes);
  }

  Plan with(Freeze other) {
    return new Plan(
        id, partition, terms, state, waitingOn, claim, ending, disposedAt, other, votes, outcomes);
  }

  /** Returns the refusal if one of these is not an action of the plan. */
  public Optional<Refusal> stranger(List<ActionId> chosen) {
    for (int position = 0; position < chosen.size(); position++) {
      if (!terms.actionIds().contains(chosen.get(position))) {
        String path = "action_ids[" + position + "]";
        return Optional.of(
            new Refusal.Invalid(path, path + " is not the id of an action of this plan."));
      }
    }
    return Optional.empty();
  }

  /** Returns the actions that its claim selects, in the plan's order; empty before the claim. */
  public List<ActionId> selected() {
    Claim made = claim;
    return made == null
        ? List.of()
        : terms.actionIds().stream().filter(made.digests()::containsKey).toList();
  }

  /**
   * Returns who approved or vetoed it, as the service knows it; empty if nobody has done so yet.
   */
  public List<Decider> decidedBy() {
    Approval approval = approval();
    if (approval != null) {
      return approval.decidedBy();
    }
    return ending == null || ending.vetoer() == null ? List.of() : List.of(ending.vetoer());
  }

  /** Returns whether people have voted on it, even if every vote was withdrawn. */
  public boolean isVotedOn() {
    return votes > 0 || decidedBy().stream().anyMatch(each -> each.receipt() != null);
  }

  /**
   * Returns the approval under which it runs; null for a plan that needs no approval or is not
   * claimed.
   */
  public @Nullable Approval approval() {
    return claim == null ? null : claim.approval();
  }
}
