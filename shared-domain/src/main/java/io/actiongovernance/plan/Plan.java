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
 * An execution plan: its terms, fixed at proposal, and how far it has come (specification, Plan
 * object).
 *
 * @param claim who may run which of its actions, null until it is claimed
 * @param ending how it ended without running, null if it did not
 * @param disposedAt when it was disposed, null until then
 * @param freeze what halts did to its time, as of when it was read; of a plan that is no longer
 *     open, as of when that came about
 * @param votes how many times people have voted on it, or taken a vote back
 * @param outcomes what became of its actions; null unless it is executed
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

  /** How long before its end a plan that waits for people has a timer for it. */
  public static final Duration TIMER_AHEAD = Duration.ofMinutes(15);

  /** A plan whose time no halt has touched. */
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

  /** How far a plan has come. EXECUTING is hidden: the API shows it as proposed. */
  public enum State {
    PROPOSED,
    EXECUTING,
    EXECUTED,
    VETOED,
    EXPIRED
  }

  /**
   * What was fixed at proposal.
   *
   * @param requestId the request that led to it, null for schedules
   * @param provider of the operator's model, or {@link DraftedBy#AGENT}
   * @param proposedBy who proposed it, whole: what is shown of it says less
   * @param connectors those of its actions
   * @param outline what a list shows of its actions
   * @param held whether a person must approve it
   * @param expiresAt when its time is over unless a halt froze some of it
   * @param amends the plan in whose place it stands, null for one that amends none
   * @param approvals who must approve its held actions, each policy once; none where anybody may
   *     who has the right to
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
      // Left out where it is stored if there are none.
      approvals = List.copyOf(Objects.requireNonNullElse(approvals, List.of()));
      actionIds = List.copyOf(actionIds);
      connectors = Set.copyOf(connectors);
    }
  }

  /**
   * What a list shows of the actions of a plan, as they were proposed, so that none has to be read
   * for it.
   *
   * @param maxTier the highest tier of those that may run; of all if none may
   * @param summary of the first action, as the next two
   * @param values the sums over the actions that may run; left out where it is stored if none
   * @param more how many actions may run besides the first
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

    /** What a list shows of these. */
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
   * When the time of a plan is over that is proposed then: a policy of approval may ask for it to
   * be sooner.
   *
   * @param latest when it would be over without any
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
   * The sole right to run a plan, written in the same transaction that takes the locks.
   *
   * @param key what made the claim: the same claim made again finds itself
   * @param approval who approved, null for an unheld plan
   * @param digests the digest that each selected action must still have; what is not here is
   *     skipped
   * @param refused the selected actions that the policy blocked at the claim: they take no lock and
   *     never run
   * @param skipped the receipts of the actions that are skipped
   * @param part what was reserved of the allowance
   * @param uncovered those of the refused that were held only since the proposal, by a guardrail
   *     whose policy of approval the votes did not satisfy
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
   * What a claim keeps of the approval that it was made by, which is a record of its own.
   *
   * @param approver who approved, as the request says or by the key's name
   * @param decidedBy who approved, as the service knows it
   * @param trace where the approver's own trace stands, or null; kept with the record alone, so
   *     that it costs the plan's row nothing
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
   * How a plan ended without running.
   *
   * @param key what ended it: the same request made again finds itself
   * @param vetoedBy who vetoed it, as the request says or by the key's name; null if it expired
   * @param vetoer who vetoed it, as the service knows it; null if it expired
   * @param receipts the receipt of each action, fixed here so that writing them can be finished by
   *     anyone
   * @param withdrawn whether it was vetoed by who proposed it, who took it back
   * @param supersededBy the plan that stands in its place, null if none does
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
    /** An ending after which no plan stands in the place of the one that ended. */
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
   * The status as any reader sees it at this instant: a plan past its time is expired, whether or
   * not that was recorded.
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

  /**
   * Whether it is in proposed and its time is not over: what approve, veto and claiming ask for.
   */
  public boolean open(Instant now) {
    return state == State.PROPOSED && (freeze.standing() || now.isBefore(expiresAt()));
  }

  /** Whether it is past its time and nobody has recorded that yet. */
  public boolean overdue(Instant now) {
    return state == State.PROPOSED && !open(now);
  }

  /** The same plan as one whose expiry was recorded. */
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

  /** When its time is over: the frozen time is given back (contract, section 4, Kill switch). */
  public Instant expiresAt() {
    return terms.expiresAt().plus(freeze.frozen());
  }

  /**
   * When a plan that waits for people is to be looked at next: when it gets its timer, then when
   * its time is over.
   */
  public Instant nextLook(Instant now) {
    Instant timer = expiresAt().minus(TIMER_AHEAD);
    return timer.isAfter(now) ? timer : expiresAt();
  }

  /** The same plan once this claim is written. */
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

  /** The same open plan as one that waits for this. */
  Plan waitingOn(WaitingOn other) {
    return new Plan(
        id, partition, terms, state, other, claim, ending, disposedAt, freeze, votes, outcomes);
  }

  /** The same plan with what halts did to its time. */
  Plan with(Freeze other) {
    return new Plan(
        id, partition, terms, state, waitingOn, claim, ending, disposedAt, other, votes, outcomes);
  }

  /** That one of these is no action of it, if one is none. */
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

  /** The actions that its claim selects, in the order of the plan; none before the claim. */
  public List<ActionId> selected() {
    Claim made = claim;
    return made == null
        ? List.of()
        : terms.actionIds().stream().filter(made.digests()::containsKey).toList();
  }

  /** Who approved or vetoed it, as the service knows it; none until then, or if nobody did. */
  public List<Decider> decidedBy() {
    Approval approval = approval();
    if (approval != null) {
      return approval.decidedBy();
    }
    return ending == null || ending.vetoer() == null ? List.of() : List.of(ending.vetoer());
  }

  /** Whether people have voted on it, even if they took it back. */
  public boolean isVotedOn() {
    return votes > 0 || decidedBy().stream().anyMatch(each -> each.receipt() != null);
  }

  /** The approval it runs under, null for an unheld or unclaimed plan. */
  public @Nullable Approval approval() {
    return claim == null ? null : claim.approval();
  }
}
