package io.actiongovernance.simulation;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.gateway.GovernedCall;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.kernel.RunApproved;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanOutcomes;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.simulation.Upstream.Call;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Transactions;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What must hold once everything is over, whatever went wrong before. */
final class Invariants {
  /** Of a run that goes wrong without end, no more is told: each pair of its calls would be. */
  private static final int MOST_TOLD = 50;

  private static final Set<ReceiptOutcome> MAY_HAVE_HAD_EFFECT =
      Set.of(ReceiptOutcome.APPLIED, ReceiptOutcome.UNKNOWN);

  private final World world;
  private final Scenario scenario;
  private final List<String> violations = new ArrayList<>();
  private final List<Item> items;
  private final Map<PlanId, Plan> plans = new LinkedHashMap<>();
  private final Map<ActionId, Action> actions = new LinkedHashMap<>();
  private final Map<String, List<Receipt>> receipts = new HashMap<>();

  private Invariants(World world, Scenario scenario) {
    this.world = world;
    this.scenario = scenario;
    this.items = world.inner.everything();
    Plans allPlans = new Plans(world.inner, new HaltRegister(world.inner, world.scheduler));
    Actions allActions = new Actions(world.inner);
    ReceiptLedger ledger = new ReceiptLedger(world.inner);
    for (Item item : items) {
      String kind = item.textOrNull("kind");
      if ("plan".equals(kind)) {
        PlanId id = new PlanId(item.text("id"));
        plans.put(id, allPlans.find(world.tenancy.partition, id).orElseThrow());
      } else if ("action".equals(kind)) {
        ActionId id = new ActionId(item.text("id"));
        actions.put(id, allActions.find(world.tenancy.partition, id).orElseThrow());
      } else if ("receipt".equals(kind)) {
        ReceiptId id = new ReceiptId(item.text("id"));
        Receipt receipt = ledger.find(world.tenancy.partition, id).orElseThrow();
        String of = String.valueOf(receipt.text("action_id"));
        receipts.computeIfAbsent(of, _ -> new ArrayList<>()).add(receipt);
      }
    }
  }

  /** What is wrong; empty if nothing is. */
  static List<String> violated(World world, Scenario scenario) {
    Invariants atRest = new Invariants(world, scenario);
    atRest.whatIsReservedCoversTheEffects();
    atRest.onlyBegunCallsAreUnknown();
    atRest.noCallIsCutOff();
    atRest.noCallBeginsAfterItsWindow();
    atRest.entitiesSettle();
    List<Action> unresolved = atRest.actions.values().stream().filter(Action::unresolved).toList();
    unresolved.forEach(scenario::resolve);
    Invariants invariants = unresolved.isEmpty() ? atRest : new Invariants(world, scenario);
    if (invariants != atRest) {
      invariants.violations.addAll(atRest.violations);
    }
    world.scheduler.unexpected().forEach(one -> invariants.violations.add(trace(one)));
    invariants.require(
        world.faults.calls() <= World.MOST_CALLS, () -> "The ports are called without end");
    invariants.everyEventIsProposedFor();
    invariants.everyPlanEnds();
    invariants.anExecutedPlanCountsWhatBecameOfItsActions();
    invariants.whatWasEndedDoesNotRun();
    invariants.everyActionHasItsReceipt();
    invariants.effectsAreWhatTheReceiptsSay();
    invariants.whatRunsIsWhatWasJudged();
    invariants.nobodyApprovedTheirOwn();
    invariants.onePlanStandsInThePlaceOfAnother();
    invariants.aCallMadeAgainIsOnePlan();
    invariants.answersAreOfOneMoment();
    invariants.callsDoNotRepeatOrOverlap();
    invariants.plansDoNotMingleOnAnEntity();
    invariants.aLockIsKeptForWhoAskedForIt();
    invariants.whatAReceiptNamesIsFound();
    invariants.undosAreOver();
    invariants.nothingIsHeldAnyMore();
    invariants.allowanceAndLimitsSettled();
    invariants.outcomesAreToldOnceAndInOrder();
    invariants.votesCount();
    invariants.violations.addAll(scenario.undos.violations);
    invariants.approvalsAnswerAgain();
    return invariants.violations;
  }

  private static String trace(Throwable thrown) {
    Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
    StringBuilder text = new StringBuilder(thrown.getMessage() + ": " + cause);
    for (StackTraceElement element : cause.getStackTrace()) {
      if (element.getClassName().startsWith("io.actiongovernance")) {
        text.append("\n      at ").append(element);
      }
    }
    return text.toString();
  }

  private void votesCount() {
    List<Receipt> votes =
        receipts.values().stream()
            .flatMap(List::stream)
            .filter(receipt -> receipt.kind() == Receipt.Kind.APPROVAL)
            .toList();
    violations.addAll(
        new VoteInvariants(world, scenario.voting, votes).violations(plans.values(), actions));
  }

  private void outcomesAreToldOnceAndInOrder() {
    if (world.telling != null) {
      violations.addAll(world.telling.violations(plans.values(), actions));
    }
  }

  private void require(boolean holds, Supplier<String> otherwise) {
    if (!holds && violations.size() < MOST_TOLD) {
      violations.add(otherwise.get());
    }
  }

  /** Whatever nobody knows of takes room until somebody says what came of it. */
  private void whatIsReservedCoversTheEffects() {
    long effects = effects(action -> true);
    long taken = allowance().taken(world.tenancy.partition);
    Long cap = world.tenancy.hardCap;
    require(
        cap == null || world.monthEnds() || (effects <= taken && taken <= cap),
        () -> effects + " effects, " + taken + " taken of a cap of " + cap);
    if (world.tenancy.limit != null) {
      Set<ActionId> othersNow = takenOver(action -> !limited(action));
      long limited = effects(action -> limited(action) && !othersNow.contains(action.id()));
      long counted = countedByLimits();
      require(limited <= counted, () -> limited + " effects under a limit that counts " + counted);
    }
  }

  private long countedByLimits() {
    return items.stream()
        .filter(item -> item.key().partition().contains("limit#"))
        .mapToLong(item -> item.whole("n", 0))
        .sum();
  }

  private Allowance allowance() {
    return new Allowance(
        world.inner,
        new Transactions(world.inner, world.scheduler::sleep, world.random),
        world.random,
        world.scheduler);
  }

  private boolean limited(Action action) {
    return action.terms().operatorId().equals(world.tenancy.free.id());
  }

  /** The actions whose effect counts for such an action, which called again under their key. */
  private Set<ActionId> takenOver(Predicate<Action> by) {
    return actions.values().stream()
        .filter(by)
        .flatMap(action -> Stream.ofNullable(action.disposal()))
        .flatMap(disposal -> Stream.ofNullable(disposal.superseded()))
        .collect(Collectors.toSet());
  }

  /** How many effects there were of such actions. */
  private long effects(Predicate<Action> of) {
    Set<String> called =
        actions.values().stream().filter(of).map(Invariants::called).collect(Collectors.toSet());
    return world.upstream.calls.stream()
        .filter(call -> call.effect && called.contains(call.of()))
        .count();
  }

  private boolean wasCalled(Action action) {
    return world.upstream.calls.stream()
        .anyMatch(call -> call.key.equals(action.terms().idempotencyKey()));
  }

  /** What goes wrong before a call is begun is no outcome of it. */
  private void onlyBegunCallsAreUnknown() {
    for (Action action : actions.values()) {
      if (action.settled()
          && outcome(action) == ReceiptOutcome.UNKNOWN
          && !world.faults.interrupts()) {
        require(wasCalled(action), () -> action.id() + " is unknown, and was never called");
      }
      if (action.settled() && outcome(action) == ReceiptOutcome.FAILED) {
        require(wasCalled(action), () -> action.id() + " failed, and was never called");
      }
    }
  }

  /** A call that begins has the time that its source system takes. */
  private void noCallIsCutOff() {
    for (Upstream.Call call : world.upstream.calls) {
      require(!call.cutOff, () -> call + " was cut off by the end of its invocation");
    }
  }

  /**
   * A call begins within its invocation's time after its last judgement. An undo counts the
   * guardrail of its original at any hour.
   */
  private void noCallBeginsAfterItsWindow() {
    Operator windowed = scenario.windowed;
    if (windowed == null || scenario.closesAt.equals(Instant.MAX)) {
      return;
    }
    long last = scenario.closesAt.plus(KernelTimes.EXECUTOR_TIMEOUT).toEpochMilli();
    Set<String> bound =
        actions.values().stream()
            .filter(action -> action.terms().operatorId().equals(windowed.id()))
            .filter(action -> action.terms().undoing() == null)
            .map(Invariants::called)
            .collect(Collectors.toSet());
    for (Call call : world.upstream.calls) {
      require(
          call.begun <= last || !bound.contains(call.of()),
          () -> call + " began after the window of its guardrail");
    }
  }

  /**
   * After a call that may still be at work, no other begins on its entity for a while. Of two
   * actions of one plan that ask for the same, the calls begun before the disposal of the first are
   * the first's.
   */
  private void entitiesSettle() {
    for (Action action : actions.values()) {
      Action.Disposal disposal = action.disposal();
      if (disposal == null) {
        continue;
      }
      long from = disposal.disposedAt().toEpochMilli();
      boolean atWork =
          disposal.awaitsResolution()
              && world.upstream.calls.stream()
                  .filter(call -> call.of().equals(called(action)) && call.begun < from)
                  .anyMatch(call -> !call.answered);
      if (atWork) {
        long until = from + Connector.SETTLE_SECONDS * 1_000;
        for (Call call : world.upstream.calls) {
          require(
              !call.entity.equals(action.terms().entityKey().value())
                  || call.begun < from
                  || call.begun >= until,
              () -> call + " began while its entity settled after " + action.id());
        }
      }
    }
  }

  /** A result that a receipt names is there, and is what one of the action's calls was answered. */
  private void whatAReceiptNamesIsFound() {
    for (Receipt receipt : receipts.values().stream().flatMap(List::stream).toList()) {
      String sha256 = receipt.text("result_sha256");
      if (sha256 == null) {
        continue;
      }
      Action action =
          Objects.requireNonNull(
              actions.get(new ActionId(String.valueOf(receipt.text("action_id")))));
      Optional<String> found =
          world
              .results
              .find(world.tenancy.partition, action.id(), sha256)
              .map(result -> result.content().body());
      require(found.isPresent(), () -> receipt.id() + " names a result that is not there");
      require(
          found.isEmpty()
              || world.upstream.calls.stream()
                  .filter(call -> call.of().equals(called(action)))
                  .anyMatch(call -> found.get().equals(call.answer)),
          () -> receipt.id() + " names what no call of its action was answered");
    }
  }

  /** What is called is the tool that was judged, and approved. */
  private void whatRunsIsWhatWasJudged() {
    for (Call call : world.upstream.calls) {
      require(
          actions.values().stream()
              .filter(action -> called(action).equals(call.of()))
              .anyMatch(action -> action.terms().toolDigest().equals(call.toolDigest)),
          () -> call + " is of another tool than was judged");
    }
  }

  private void nobodyApprovedTheirOwn() {
    for (Plan plan : plans.values()) {
      Plan.Approval approval = plan.approval();
      require(
          approval == null
              || approval.decidedBy().stream()
                  .noneMatch(decider -> plan.terms().proposedBy().includes(decider.principal())),
          () -> plan.id() + " was approved by who proposed it");
    }
  }

  /** What was amended is vetoed, by the very plan that names it, and never both nor neither. */
  private void onePlanStandsInThePlaceOfAnother() {
    for (Plan plan : plans.values()) {
      PlanId amends = plan.terms().amends();
      require(
          amends == null || plan.id().equals(supersededBy(plans.get(amends))),
          () -> plan.id() + " amends " + amends + ", which does not know of it");
      PlanId by = supersededBy(plan);
      require(
          by == null || plans.containsKey(by),
          () -> plan.id() + " was amended as " + by + ", which is not there");
    }
  }

  private static @Nullable PlanId supersededBy(@Nullable Plan plan) {
    Plan.Ending ending = plan == null || plan.state() != Plan.State.VETOED ? null : plan.ending();
    return ending == null ? null : ending.supersededBy();
  }

  private void everyEventIsProposedFor() {
    for (EventId event : world.relay.forgotten()) {
      require(false, () -> event + " was answered, and nobody proposed for it");
    }
  }

  private void everyPlanEnds() {
    for (Plan plan : plans.values()) {
      boolean ended = plan.state() != Plan.State.PROPOSED && plan.state() != Plan.State.EXECUTING;
      require(
          ended,
          () -> plan.id() + " hangs in " + plan.state() + ", waiting on " + plan.waitingOn());
      require(plan.disposedAt() != null || !ended, () -> plan.id() + " has no disposed_at");
    }
    for (Item item : items) {
      require(
          !DueIndex.isIn(item) || HandedOn.isOne(item),
          () -> item.key() + " is looked at for ever");
    }
  }

  private void anExecutedPlanCountsWhatBecameOfItsActions() {
    for (Plan plan : plans.values()) {
      PlanOutcomes became =
          plan.state() == Plan.State.EXECUTED
              ? PlanOutcomes.of(plan.terms().actionIds().stream().map(actions::get).toList())
              : null;
      require(
          Objects.equals(plan.outcomes(), became),
          () -> plan.id() + " counts " + plan.outcomes() + " instead of " + became);
    }
  }

  /** A plan that was vetoed or expired, as its actions say, has not run since. */
  private void whatWasEndedDoesNotRun() {
    for (Action action : actions.values()) {
      Action.Closing closing = action.closing();
      Plan plan = plans.get(action.terms().planId());
      if (closing != null && plan != null) {
        boolean ran = plan.state() == Plan.State.EXECUTED;
        require(
            ran == (closing.outcome() == ReceiptOutcome.SKIPPED),
            () -> action.id() + " is " + closing.outcome() + ", its plan " + plan.state());
      }
    }
  }

  private static ReceiptOutcome outcome(Action action) {
    Action.Disposal disposal = action.disposal();
    Action.Closing closing = action.closing();
    return disposal != null
        ? disposal.outcome()
        : Objects.requireNonNull(closing, () -> action.id().value()).outcome();
  }

  private void everyActionHasItsReceipt() {
    for (Action action : actions.values()) {
      Plan plan = plans.get(action.terms().planId());
      require(plan != null, () -> action.id() + " has no plan");
      if (!action.settled()) {
        require(false, () -> action.id() + " is not settled");
        continue;
      }
      List<Receipt> own = receipts.getOrDefault(action.id().value(), List.of());
      int expected = action.resolution() == null ? 1 : 2;
      require(own.size() == expected, () -> action.id() + " has " + own.size() + " receipts");
      Action.Disposal disposal = action.disposal();
      Action.Closing closing = action.closing();
      require(disposal == null || closing == null, () -> action.id() + " is disposed and closed");
      ReceiptId named =
          disposal != null ? disposal.receiptId() : Objects.requireNonNull(closing).receiptId();
      require(!action.unresolved(), () -> action.id() + " waits to be resolved for ever");
      for (Receipt receipt : own) {
        if ("resolution".equals(receipt.text("kind"))) {
          continue;
        }
        require(receipt.id().equals(named), () -> action.id() + " names another receipt");
        require(
            receipt.outcome() == outcome(action),
            () -> action.id() + " says other than its receipt");
      }
      if (disposal != null) {
        boolean refused = disposal.outcome() == ReceiptOutcome.REFUSED;
        require(
            refused == (disposal.disposition() == Disposition.BLOCK),
            () -> action.id() + " is " + disposal.disposition() + " and " + disposal.outcome());
      }
      if (plan != null && !action.terms().undoesAtOnce()) {
        fits(plan, action);
      }
    }
  }

  private void fits(Plan plan, Action action) {
    ReceiptOutcome outcome = outcome(action);
    boolean skipped = plan.claim() != null && plan.claim().skipped().containsKey(action.id());
    ReceiptOutcome expected =
        switch (plan.state()) {
          case VETOED -> ReceiptOutcome.VETOED;
          case EXPIRED -> ReceiptOutcome.EXPIRED;
          default -> skipped ? ReceiptOutcome.SKIPPED : outcome;
        };
    require(outcome == expected, () -> action.id() + " is " + outcome + " in " + plan.state());
    boolean ran = action.disposal() != null;
    require(
        ran == (plan.state() == Plan.State.EXECUTED && !skipped || !ended(plan)),
        () -> action.id() + " ran: " + ran + " in " + plan.state());
    require(
        !plan.terms().held() || !MAY_HAVE_HAD_EFFECT.contains(outcome) || plan.approval() != null,
        () -> action.id() + " ran without an approval");
  }

  private static boolean ended(Plan plan) {
    return plan.state() != Plan.State.PROPOSED && plan.state() != Plan.State.EXECUTING;
  }

  private static String effect(Action action) {
    return action.terms().tool() + " " + action.terms().args().path("n").asText();
  }

  private static String called(Action action) {
    return effect(action) + " " + action.terms().correlationId();
  }

  private void effectsAreWhatTheReceiptsSay() {
    Map<String, List<Action>> byCall =
        actions.values().stream()
            .filter(Action::settled)
            .collect(Collectors.groupingBy(Invariants::called));
    Map<String, List<Call>> effects =
        world.upstream.calls.stream()
            .filter(call -> call.effect)
            .collect(Collectors.groupingBy(call -> call.key));
    effects.forEach(
        (key, of) -> require(of.size() <= 1, () -> key + " had " + of.size() + " effects: " + of));
    for (Call call : world.upstream.calls) {
      List<Action> of = byCall.getOrDefault(call.of(), List.of());
      require(!of.isEmpty(), () -> "Nobody asked for " + call);
      if (call.effect) {
        require(
            of.stream().anyMatch(action -> MAY_HAVE_HAD_EFFECT.contains(outcome(action))),
            () ->
                call
                    + " had an effect, and its receipt says "
                    + of.stream().map(Invariants::outcome).toList());
      }
      String proposed = scenario.proposedArgs.get(call.what());
      require(
          proposed == null || proposed.equals(Json.write(call.args)),
          () -> call + " is not what was proposed");
    }
    Map<String, Long> applied = new HashMap<>();
    for (Action action : actions.values()) {
      if (action.settled() && action.applied()) {
        String key = action.terms().idempotencyKey();
        applied.merge(key, 1L, Long::sum);
        require(effects.containsKey(key), () -> action.id() + " is applied without effect");
      }
    }
    applied.forEach(
        (key, times) -> require(times == 1, () -> key + " applied " + times + " times"));
    for (Action action : actions.values()) {
      if (action.settled() && outcome(action) == ReceiptOutcome.DEDUPLICATED) {
        require(
            actions.values().stream()
                .anyMatch(
                    other ->
                        other.applied()
                            && effect(other).equals(effect(action))
                            && sameKey(other, action)),
            () -> action.id() + " repeats what never applied");
      }
    }
  }

  private static boolean sameKey(Action one, Action other) {
    return one.terms().idempotencyKey().equals(other.terms().idempotencyKey());
  }

  private void callsDoNotRepeatOrOverlap() {
    List<Call> calls = world.upstream.calls;
    for (int one = 0; one < calls.size() && violations.size() < MOST_TOLD; one++) {
      for (int other = one + 1; other < calls.size(); other++) {
        Call a = calls.get(one);
        Call b = calls.get(other);
        boolean overlap = a.entity.equals(b.entity) && a.begun < b.ended && b.begun < a.ended;
        require(!overlap, () -> "Two calls at once on an entity: " + a + " and " + b);
        boolean sameOriginal = !undo(a) && a.of().equals(b.of());
        require(a.retrySafe || a.failed || !sameOriginal, () -> "Called twice: " + a + " and " + b);
      }
    }
    for (Action action : actions.values()) {
      boolean later =
          action.terms().undoing() == null && action.settled() && calledBeforePredecessor(action);
      require(!later, () -> action.id() + " was called before its predecessor was disposed");
    }
  }

  /** However often it was made, by whom it was made, and where that died. */
  private void aCallMadeAgainIsOnePlan() {
    for (String name : scenario.called) {
      List<PlanId> made =
          actions.values().stream()
              .filter(action -> action.terms().undoing() == null)
              .filter(action -> action.terms().args().path("n").asText().equals(name))
              .map(action -> action.terms().planId())
              .distinct()
              .filter(plans::containsKey)
              .toList();
      require(made.size() <= 1, () -> "The call " + name + " is several plans: " + made);
    }
  }

  /** What says that a plan is executed says so of each of its actions. */
  private void answersAreOfOneMoment() {
    for (GovernedCall call : scenario.answered) {
      boolean torn =
          call.plan().state() == Plan.State.EXECUTED
              && !call.actions().stream().allMatch(Action::settled);
      require(!torn, () -> call.plan().id() + " was answered as executed, its action as open");
    }
  }

  /** While a plan is at work on an entity, from its first call to its last, nobody else is. */
  private void plansDoNotMingleOnAnEntity() {
    Map<String, String> planOf = new HashMap<>();
    for (Action action : actions.values()) {
      planOf.put(called(action), action.terms().planId().value());
    }
    Map<String, List<Call>> work =
        world.upstream.calls.stream()
            .filter(call -> !undo(call))
            .collect(Collectors.groupingBy(call -> planOf.get(call.of()) + " on " + call.entity));
    work.forEach(
        (whose, calls) -> {
          long first = calls.getFirst().begun;
          long last = calls.getLast().ended;
          for (Call call : world.upstream.calls) {
            boolean another = !calls.contains(call) && whose.endsWith(" on " + call.entity);
            require(
                !another || call.ended <= first || call.begun >= last,
                () -> call + " came into the midst of " + whose);
          }
        });
  }

  private boolean calledBeforePredecessor(Action action) {
    boolean alone =
        actions.values().stream().filter(one -> called(one).equals(called(action))).count() == 1;
    if (!alone) {
      // Which of several alike was called, nobody can tell.
      return false;
    }
    for (Action earlier : actions.values()) {
      Action.Disposal disposal = earlier.disposal();
      if (disposal == null
          || earlier.terms().undoing() != null
          || !earlier.terms().planId().equals(action.terms().planId())
          || !earlier.terms().entityKey().equals(action.terms().entityKey())
          || earlier.terms().position() >= action.terms().position()) {
        continue;
      }
      boolean refused = disposal.outcome() == ReceiptOutcome.REFUSED;
      for (Call call : world.upstream.calls) {
        if (!refused
            && call.of().equals(called(action))
            && call.begun < disposal.disposedAt().toEpochMilli() - 1) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean undo(Call call) {
    return call.tool.startsWith("shop.un");
  }

  private static boolean undoes(Action other, Action original) {
    Action.Undoing undoing = other.terms().undoing();
    return undoing != null && undoing.original().equals(original.id());
  }

  private void undosAreOver() {
    for (Action action : actions.values()) {
      require(action.undo().inFlight() == null, () -> action.id() + " has an undo for ever");
      List<Action> undone =
          actions.values().stream()
              .filter(other -> other.settled() && undoes(other, action))
              .filter(Action::applied)
              .toList();
      require(undone.size() <= 1, () -> action.id() + " was undone twice");
      require(
          action.undone() == !undone.isEmpty(),
          () -> action.id() + " reads undone " + action.undone() + ", undone by " + undone.size());
    }
  }

  /** No plan that needs no approval comes between an approval that met a lock and its return. */
  private void aLockIsKeptForWhoAskedForIt() {
    for (Scenario.Asked asked : scenario.asked) {
      for (Plan plan : plans.values()) {
        Plan.Claim claim = plan.claim();
        require(
            claim == null
                || claim.approval() != null
                || !claim.claimedAt().isAfter(asked.at())
                || !claim.claimedAt().isBefore(asked.until())
                || neededBy(asked).noneMatch(locks(plan)::contains)
                || hadByOthersWhoAsked(asked, claim.claimedAt()),
            () -> plan.id() + " has taken a lock that was kept: " + asked);
      }
    }
  }

  /** The entity whose lock an approval met, and what else it took once it had its way. */
  private Stream<EntityKey> neededBy(Scenario.Asked asked) {
    Plan plan = Objects.requireNonNull(plans.get(asked.plan()));
    Plan.Claim claim = plan.claim();
    return claim == null || claim.approval() == null
        ? Stream.of(asked.entity())
        : Stream.concat(Stream.of(asked.entity()), locks(plan).stream());
  }

  /** The entities whose locks the claim of a plan took. */
  private Set<EntityKey> locks(Plan plan) {
    Set<ActionId> refused = Objects.requireNonNull(plan.claim()).refused();
    return plan.selected().stream()
        .filter(id -> !refused.contains(id))
        .map(id -> Objects.requireNonNull(actions.get(id)).terms().entityKey())
        .collect(Collectors.toSet());
  }

  /** Whether another approval, or an undo, may have had the lock in between. */
  private boolean hadByOthersWhoAsked(Scenario.Asked asked, Instant before) {
    return actions.values().stream()
        .filter(action -> neededBy(asked).anyMatch(action.terms().entityKey()::equals))
        .filter(action -> isDisposedAfter(action, asked.at()))
        .anyMatch(action -> action.terms().undoesAtOnce() || approvedBefore(action, before));
  }

  private static boolean isDisposedAfter(Action action, Instant when) {
    Action.Disposal disposal = action.disposal();
    return disposal != null && disposal.disposedAt().isAfter(when);
  }

  private boolean approvedBefore(Action action, Instant before) {
    Plan.Claim claim = Objects.requireNonNull(plans.get(action.terms().planId())).claim();
    return claim != null && claim.approval() != null && claim.claimedAt().isBefore(before);
  }

  private void nothingIsHeldAnyMore() {
    for (Item item : items) {
      require(!item.has("holder"), () -> "The lock of " + item.key() + " is held for ever");
      boolean intended = "INTENT".equals(item.textOrNull("state"));
      boolean putOff = "PACED".equals(item.textOrNull("state"));
      require(!(intended || putOff) || !item.has("owner"), () -> "An intent for ever: " + item);
    }
  }

  private void allowanceAndLimitsSettled() {
    YearMonth month = Run.month(world.scheduler.instant());
    long applied = 0;
    int sure = 0;
    int undos = 0;
    for (Action action : actions.values()) {
      if (!action.settled() || action.disposal() == null) {
        continue;
      }
      boolean isApplied = action.applied();
      if (isApplied) {
        Action.Resolution resolution = action.resolution();
        Instant at = resolution == null ? action.disposal().disposedAt() : resolution.resolvedAt();
        applied += Run.month(at).equals(month) ? 1 : 0;
      }
      boolean limited =
          action.terms().operatorId().equals(world.tenancy.free.id())
              && world.tenancy.limit != null;
      sure += limited && isApplied ? 1 : 0;
      boolean undoes = action.terms().undoing() != null;
      undos += limited && undoes && isApplied ? 1 : 0;
    }
    long used = allowance().used(world.tenancy.partition);
    long taken = allowance().taken(world.tenancy.partition);
    String figures = "used " + used + ", taken " + taken + ", applied " + applied;
    require(used == applied && taken == applied, () -> figures);
    long counted = countedByLimits();
    String counts = "Limits count " + counted + " of " + sure + " applied";
    require(sure == counted, () -> counts);
    Long limit = world.tenancy.limit;
    // Who asks to undo is not kept from it by a limit, though it counts.
    long most = limit == null ? Long.MAX_VALUE : limit + undos;
    require(counted <= most, () -> counts + ", against a limit of " + limit);
    Long cap = world.tenancy.hardCap;
    // What was reserved in one month and applied in the next counts in the next, cap or no cap.
    require(
        cap == null || world.monthEnds() || used <= cap,
        () -> figures + " against a cap of " + cap);
  }

  private void approvalsAnswerAgain() {
    for (Map.Entry<String, PlanId> approval : scenario.approvals.entrySet()) {
      Plan plan = plans.get(approval.getValue());
      if (plan != null
          && plan.state() == Plan.State.EXECUTED
          && plan.approval() != null
          && plan.claim() != null
          && plan.claim().key().equals(approval.getKey())) {
        Outcome<RunApproved.Approved> again = scenario.approveAgain(approval.getKey());
        require(
            again instanceof Done || again instanceof Refused(Refusal.PolicyBlocked _),
            () -> plan.id() + " approved again is " + again);
      }
    }
  }
}
