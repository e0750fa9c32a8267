package io.actiongovernance.approval;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Scope;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRefusals;
import io.actiongovernance.plan.PlanWrites;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Progress of a plan's approval, and requests about it other than approving: asking for a
 * challenge, and withdrawing a vote (contract for people, section 3). Thread-safe.
 */
public final class PlanApprovals {
  private static final int TRIES = 8;
  private static final Refusal NO_PLAN = new Refusal.NotFound("plan");
  private static final Refusal NO_VOTE = new Refusal.NotFound("vote");
  private static final Refusal NO_PERSON =
      new Refusal.NotEligible("method", "Only a signed-in person can vote.");

  private final PlannedActions planned;
  private final Operators operators;
  private final ApprovalEvaluations evaluations;
  private final Ballots ballots;
  private final People people;
  private final Transactions transactions;
  private final InstantSource clock;

  public record Collaborators(ApprovalEvaluations evaluations, Ballots ballots, People people) {}

  public PlanApprovals(
      PlannedActions planned,
      Operators operators,
      Collaborators parts,
      Transactions transactions,
      InstantSource clock) {
    this.planned = planned;
    this.operators = operators;
    this.evaluations = parts.evaluations();
    this.ballots = parts.ballots();
    this.people = parts.people();
    this.transactions = transactions;
    this.clock = clock;
  }

  public enum State {
    OPEN,
    /** An approval has claimed the plan. */
    SATISFIED,
    /** The plan was vetoed, has expired, or needed no approval. */
    CLOSED;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    static State of(Plan plan, Instant now) {
      if (plan.approval() != null) {
        return SATISFIED;
      }
      return plan.open(now) && plan.terms().held() ? OPEN : CLOSED;
    }
  }

  /**
   * Eligibility of the caller.
   *
   * @param reason in one word, why they could not approve; null if they could
   */
  public record You(boolean eligible, @Nullable String reason) {
    private static final You NOT_OPEN = new You(false, "closed");
    private static final You NO_SCOPE = new You(false, "scope");
  }

  /**
   * Progress of an approval.
   *
   * @param actions what each action requires and who has met it, by the votes for the whole plan;
   *     empty unless the plan is open
   * @param votes all votes, for any selection, oldest first
   */
  public record Progress(
      Plan plan, State state, List<VoteCount.OfAction> actions, List<Vote> votes, You you) {
    public Progress {
      actions = List.copyOf(actions);
      votes = List.copyOf(votes);
    }
  }

  /** Progress in the form that lists show. */
  public record Summary(State state, int given, int needed, You you) {}

  public Outcome<Progress> retrieve(Caller caller, PlanId id) {
    return withPlan(caller, id, plan -> Outcome.done(progress(caller, plan)));
  }

  private Progress progress(Caller caller, Plan plan) {
    Instant now = clock.instant();
    State state = State.of(plan, now);
    List<Vote> votes = plan.isVotedOn() ? ballots.votes().of(plan) : List.of();
    if (state != State.OPEN) {
      return new Progress(plan, state, List.of(), votes, You.NOT_OPEN);
    }
    List<Action> actions = planned.allOf(plan);
    ApprovalEvaluation of = evaluations.open(plan, actions, operator(plan), now);
    List<Vote> whole =
        votes.stream()
            .filter(vote -> vote.selected().size() == plan.terms().actionIds().size())
            .toList();
    VoteCount tally = of.tally(whole, persons(plan, whole));
    return new Progress(plan, state, tally.actions(), votes, you(caller, of));
  }

  private Map<PersonId, Person> persons(Plan plan, List<Vote> votes) {
    return votes.isEmpty()
        ? Map.of()
        : people.findAll(plan.partition(), votes.stream().map(Vote::person).toList());
  }

  private Optional<Operator> operator(Plan plan) {
    return operators.find(plan.partition(), plan.terms().operatorId());
  }

  private You you(Caller caller, ApprovalEvaluation of) {
    return you(caller, of, caller.person().flatMap(id -> people.find(caller.partition(), id)));
  }

  private static You you(Caller caller, ApprovalEvaluation of, Optional<Person> person) {
    if (!caller.scopes().contains(Scope.PLANS_APPROVE)) {
      return You.NO_SCOPE;
    }
    Optional<String> reason = person.map(of::whyNot).orElseGet(() -> of.whyNot(caller.principal()));
    return new You(reason.isEmpty(), reason.orElse(null));
  }

  /**
   * Returns a function that summarizes the approvals of listed plans, by the policies that they
   * were proposed under; empty for a plan that needs no approval. Shared state is read only once.
   * The function is not thread-safe.
   */
  public Function<Plan, Optional<Summary>> summaries(Caller caller) {
    Instant now = clock.instant();
    ApprovalEvaluations.Reading reading = evaluations.reading(now);
    Optional<Person> person = caller.person().flatMap(id -> people.find(caller.partition(), id));
    return plan -> {
      if (!plan.terms().held()) {
        return Optional.empty();
      }
      State state = State.of(plan, now);
      ApprovalEvaluation of = reading.asProposed(plan);
      boolean open = state == State.OPEN;
      List<Vote> votes = open && plan.votes() > 0 ? ballots.votes().of(plan) : List.of();
      int needed = of.peopleNeeded();
      int given =
          open ? of.given(votes, persons(plan, votes)) : state == State.SATISFIED ? needed : 0;
      return Optional.of(
          new Summary(state, given, needed, open ? you(caller, of, person) : You.NOT_OPEN));
    };
  }

  /**
   * Asks a person to sign their approval.
   *
   * @param chosen the actions that it is for; null for all
   */
  public Outcome<Ballots.Issued> challenge(
      Caller caller, PlanId id, @Nullable List<ActionId> chosen, @Nullable String note) {
    return withPlan(
        caller,
        id,
        plan -> {
          Optional<Person> person =
              caller.person().flatMap(one -> people.find(plan.partition(), one));
          if (person.isEmpty()) {
            return Outcome.refused(NO_PERSON);
          }
          if (!plan.open(clock.instant())) {
            return Outcome.refused(PlanRefusals.notOpen(plan, clock.instant()));
          }
          Optional<Refusal> stranger = chosen == null ? Optional.empty() : plan.stranger(chosen);
          if (stranger.isPresent()) {
            return Outcome.refused(stranger.get());
          }
          List<Action> all = planned.allOf(plan);
          Set<ActionId> selected =
              new HashSet<>(chosen == null ? plan.terms().actionIds() : chosen);
          ApprovalEvaluation of =
              evaluations.open(
                  plan,
                  all.stream().filter(action -> selected.contains(action.id())).toList(),
                  operator(plan),
                  clock.instant());
          Optional<String> bar = of.whyNot(person.get());
          long version = operator(plan).map(Operator::guardrailsVersion).orElse(0L);
          return bar.isPresent()
              ? Outcome.refused(new Refusal.NotEligible(bar.get(), "You may not approve this."))
              : Outcome.done(
                  ballots.challenge(
                      new Ballots.Subject(plan, all, version, person.get()), chosen, note));
        });
  }

  /** Withdraws the caller's vote, and returns the resulting progress. */
  public Outcome<Progress> withdraw(Caller caller, PlanId id) {
    return transactions.retry(TRIES, "The vote was overtaken", () -> tryWithdraw(caller, id));
  }

  private Optional<Outcome<Progress>> tryWithdraw(Caller caller, PlanId id) {
    Optional<Plan> plan = find(caller, id);
    if (plan.isEmpty() || caller.person().isEmpty()) {
      return Optional.of(Outcome.refused(plan.isEmpty() ? NO_PLAN : NO_PERSON));
    }
    if (!plan.get().open(clock.instant())) {
      return Optional.of(Outcome.refused(PlanRefusals.notOpen(plan.get(), clock.instant())));
    }
    Optional<Vote> own =
        ballots.votes().of(plan.get()).stream()
            .filter(vote -> vote.person().equals(caller.person().get()))
            .findFirst();
    if (own.isEmpty()) {
      return Optional.of(Outcome.refused(NO_VOTE));
    }
    List<Write> writes = new ArrayList<>(List.of(PlanWrites.vote(plan.get())));
    writes.addAll(ballots.withdrawal(caller, plan.get(), own.get()));
    return transactions.run(writes).done() ? Optional.of(retrieve(caller, id)) : Optional.empty();
  }

  private Optional<Plan> find(Caller caller, PlanId id) {
    return planned
        .plans()
        .find(caller.partition(), id)
        .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()));
  }

  private <T> Outcome<T> withPlan(Caller caller, PlanId id, Function<Plan, Outcome<T>> then) {
    return find(caller, id).map(then).orElseGet(() -> Outcome.refused(NO_PLAN));
  }
}
