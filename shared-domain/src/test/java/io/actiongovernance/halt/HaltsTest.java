package io.actiongovernance.halt;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Reach;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.kernel.Sweep;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The kill switch (contract, section 4). */
class HaltsTest {
  private static final Target TENANT = new Target(HaltScope.TENANT, null);
  private static final Duration HOUR = Duration.ofHours(1);

  private final LoopFixture fixture = new LoopFixture();
  private final Halts halts = fixture.loop.executing().halts();

  private Halt halt(Target target) {
    return done(halts.halt(fixture.caller, HaltId.next(fixture.connectors.ids), target, "smoke"));
  }

  private Halt lift(Halt halt) {
    return done(halts.lift(fixture.caller, halt.id(), fixture.connectors.ids.next(), "clear"));
  }

  private static Halt done(Outcome<Halt> outcome) {
    return Outcomes.done(outcome);
  }

  private static Target target(Operator operator) {
    return new Target(HaltScope.OPERATOR, operator.id().value());
  }

  private static Target target(Connector connector) {
    return new Target(HaltScope.CONNECTOR, connector.id().value());
  }

  private Plan held() {
    return fixture.propose(fixture.refund("1", 500));
  }

  private Plan unheld() {
    return fixture.propose(fixture.refund("1", 5));
  }

  private List<PlanStatus> listed(@Nullable PlanStatus status) {
    Instant now = fixture.time.instant();
    return fixture
        .loop
        .reading()
        .listPlans()
        .list(
            fixture.caller.partition(),
            new ListPlans.Filter(status, null, null, null, null, null, null, Reach.WHOLE),
            new PageRequest(100, null))
        .items()
        .stream()
        .map(plan -> plan.status(now))
        .toList();
  }

  @Test
  void aHaltBeginsWhenItIsAnswered() {
    Instant asked = fixture.time.instant();
    Halt halt = halt(TENANT);
    assertThat(halt.haltedAt())
        .isEqualTo(asked.plus(HaltRegister.SETTLES))
        .isEqualTo(fixture.time.instant());
    assertThat(halt.lift()).isNull();
  }

  @Test
  void approveIsRefusedNamingTheHaltAndThePlanStaysProposed() {
    Plan plan = held();
    Halt halt = halt(TENANT);
    assertThat(Outcomes.refusal(fixture.approve(plan))).isEqualTo(new Refusal.Halted(halt.id()));
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.PROPOSED);
    lift(halt);
    assertThat(fixture.approve(plan)).isInstanceOf(Done.class);
  }

  @Test
  void aHaltStopsOnlyPlansInItsScope() {
    Operator other = fixture.operator("other-desk", "");
    Halt halt = halt(target(other));
    assertThat(fixture.approve(held())).isInstanceOf(Done.class);
    Plan theirs = fixture.propose(other, fixture.refund("2", 500));
    assertThat(Outcomes.refusal(fixture.approve(theirs))).isInstanceOf(Refusal.Halted.class);
    lift(halt);
    halt(target(fixture.sandbox));
    assertThat(Outcomes.refusal(fixture.approve(theirs))).isInstanceOf(Refusal.Halted.class);
  }

  @Test
  void undoIsRefusedWhileHalted() {
    Plan plan = held();
    fixture.approve(plan);
    Halt halt = halt(target(fixture.operator));
    assertThat(Outcomes.refusal(fixture.undo(fixture.action(plan, 0))))
        .isEqualTo(new Refusal.Halted(halt.id()));
    lift(halt);
    assertThat(fixture.undo(fixture.action(plan, 0))).isInstanceOf(Done.class);
  }

  @Test
  void anUnheldPlanIsProposedAndWaitsForTheLift() {
    Halt halt = halt(TENANT);
    Plan plan = unheld();
    fixture.deliver();
    assertThat(fixture.again(plan).status(fixture.time.instant())).isEqualTo(PlanStatus.PROPOSED);
    assertThat(fixture.calls).isEmpty();
    lift(halt);
    fixture.deliver();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(fixture.calls).hasSize(1);
  }

  @Test
  void aLongExecutingPlanIsStuckUnlessAHaltStopsIt() {
    unheld();
    fixture.time.pass(KernelTimes.STUCK);
    assertThat(fixture.sweep().stuck()).isZero();
    fixture.time.pass(Duration.ofMinutes(6));
    Logger log = (Logger) LoggerFactory.getLogger(Sweep.class);
    log.setLevel(Level.OFF); // it says which plan
    try {
      assertThat(fixture.sweep()).isEqualTo(new Sweep.Result(1, 1));
    } finally {
      log.setLevel(null);
    }
    Halt halt = halt(TENANT);
    fixture.time.pass(Duration.ofMinutes(6));
    assertThat(fixture.sweep()).isEqualTo(new Sweep.Result(1, 0));
    lift(halt);
    fixture.deliver();
    fixture.time.pass(Duration.ofMinutes(6));
    assertThat(fixture.sweep()).isEqualTo(new Sweep.Result(0, 0));
  }

  @Test
  void aClaimedPlanWaitsUnderAHaltAndRunsOnceWhenLifted() {
    Plan plan = unheld();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTING);
    Halt halt = halt(TENANT);
    fixture.deliver();
    fixture.time.pass(Duration.ofMinutes(1));
    fixture.sweep();
    fixture.deliver();
    assertThat(fixture.calls).isEmpty();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTING);

    lift(halt);
    fixture.deliver();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(fixture.calls).hasSize(1);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
  }

  @Test
  void aRunningCallFinishesUnderAHalt() {
    fixture.source =
        call -> {
          halt(TENANT);
          return new CallResult.Applied(Json.object().put("id", "r1"), "r1");
        };
    Plan plan = unheld();
    fixture.deliver();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
  }

  @Test
  void aCallMayNotMakeAnotherRequestOnceHalted() {
    fixture.source =
        call -> {
          assertThat(call.permit().begins()).isTrue();
          halt(TENANT);
          assertThat(call.permit().begins()).isFalse();
          return new CallResult.Paced(fixture.time.instant());
        };
    Plan plan = unheld();
    fixture.deliver();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTING);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).isEmpty();
  }

  @Test
  void haltStateThatCannotBeReadCountsAsHaltedAndNothingExpires() {
    Plan waiting = held();
    Plan claimed = fixture.propose(fixture.refund("2", 5));
    fixture.store.write(
        Write.update(
            HaltRegister.key(fixture.caller.partition()),
            Condition.always(),
            Change.set("in_force:tenant", "what is this?")));
    fixture.deliver();
    assertThat(Outcomes.refusal(fixture.approve(waiting))).isEqualTo(new Refusal.Halted(null));
    assertThat(fixture.calls).isEmpty();
    fixture.time.pass(Duration.ofDays(4));
    assertThat(fixture.loop.reading().expirePlan().record(fixture.again(waiting)).state())
        .isEqualTo(Plan.State.PROPOSED);
    assertThat(fixture.again(claimed).state()).isEqualTo(Plan.State.EXECUTING);
  }

  @Test
  void frozenTimeIsGivenBackAndOverlappingHaltsCountOnce() {
    Plan plan = held();
    Instant before = plan.expiresAt();
    Halt tenant = halt(TENANT);
    fixture.time.pass(HOUR);
    Halt operator = halt(target(fixture.operator));
    fixture.time.pass(HOUR);
    Halt.Lift first = liftOf(lift(tenant));
    fixture.time.pass(HOUR);
    Halt.Lift last = liftOf(lift(operator));
    assertThat(first.liftedAt()).isBefore(last.liftedAt());
    Duration frozen = Duration.between(tenant.haltedAt(), last.liftedAt());
    assertThat(fixture.again(plan).expiresAt()).isEqualTo(before.plus(frozen));

    fixture.time.pass(HOUR);
    Halt again = halt(target(fixture.sandbox));
    fixture.time.pass(HOUR);
    Duration more = Duration.between(again.haltedAt(), liftOf(lift(again)).liftedAt());
    assertThat(fixture.again(plan).expiresAt()).isEqualTo(before.plus(frozen).plus(more));
  }

  private static Halt.Lift liftOf(Halt halt) {
    return Objects.requireNonNull(halt.lift());
  }

  @Test
  void onlyHaltsThatCoverThePlanFreezeItsTime() {
    Plan plan = held();
    Halt other = halt(target(fixture.operator("other-desk", "")));
    fixture.time.pass(HOUR);
    lift(other);
    assertThat(fixture.again(plan).expiresAt()).isEqualTo(plan.expiresAt());
  }

  @Test
  void timeFrozenBeforeThePlanWasProposedIsNotGiven() {
    Halt halt = halt(TENANT);
    fixture.time.pass(HOUR);
    Plan plan = held();
    fixture.time.pass(HOUR);
    lift(halt);
    assertThat(fixture.again(plan).expiresAt()).isEqualTo(plan.expiresAt().plus(HOUR));
  }

  @Test
  void aFrozenPlanExpiresForNoReaderUntilItsOwnTimeIsUsedUp() {
    Plan plan = held();
    fixture.time.pass(Duration.ofHours(71));
    Halt halt = halt(TENANT);
    fixture.time.pass(Duration.ofDays(5));
    assertThat(listed(PlanStatus.EXPIRED)).isEmpty();
    assertThat(listed(null)).containsExactly(PlanStatus.PROPOSED);
    fixture.sweep();
    assertThat(Outcomes.refusal(fixture.approve(plan))).isInstanceOf(Refusal.Halted.class);
    lift(halt);
    fixture.time.pass(Duration.ofMinutes(58));
    assertThat(listed(PlanStatus.PROPOSED)).containsExactly(PlanStatus.PROPOSED);

    fixture.time.pass(Duration.ofMinutes(2));
    assertThat(listed(null)).containsExactly(PlanStatus.EXPIRED);
    assertThat(listed(PlanStatus.EXPIRED)).containsExactly(PlanStatus.EXPIRED);
    Plan expired = fixture.loop.reading().expirePlan().record(fixture.again(plan));
    assertThat(expired.disposedAt()).isEqualTo(expired.expiresAt()).isAfter(plan.expiresAt());
    assertThat(Outcomes.refusal(fixture.approve(plan)))
        .isEqualTo(new Refusal.Conflict("The plan is already expired."));
  }

  @Test
  void aPlanThatExpiredBeforeAHaltStaysExpired() {
    Plan plan = held();
    fixture.time.pass(Duration.ofHours(73));
    halt(TENANT);
    fixture.time.pass(HOUR);
    assertThat(fixture.again(plan).status(fixture.time.instant())).isEqualTo(PlanStatus.EXPIRED);
    assertThat(fixture.again(plan).expiresAt()).isEqualTo(plan.expiresAt());
  }

  @Test
  void aFrozenPlanCanBeVetoedAndKeepsItsExpiryFromThenOn() {
    Plan plan = held();
    Halt halt = halt(TENANT);
    fixture.time.pass(Duration.ofDays(4));
    Outcome<Plan> vetoed =
        fixture.loop.executing().vetoPlan().veto(fixture.caller, plan.id(), "k", "no", "dana");
    assertThat(vetoed).isInstanceOf(Done.class);
    Instant expiresAt = fixture.again(plan).expiresAt();
    assertThat(expiresAt).isEqualTo(plan.expiresAt().plus(Duration.ofDays(4)));
    fixture.time.pass(HOUR);
    lift(halt);
    assertThat(fixture.again(plan).expiresAt()).isEqualTo(expiresAt);
  }

  @Test
  void haltingAndLiftingAreReceipted() {
    Halt halt = halt(target(fixture.operator));
    lift(halt);
    List<Receipt> receipts = fixture.receipts();
    assertThat(receipts).extracting(receipt -> receipt.text("kind")).containsOnly("halt");
    assertThat(receipts)
        .extracting(receipt -> receipt.outcome().wire())
        .containsExactly("lifted", "halted");
    assertThat(receipts)
        .extracting(receipt -> receipt.text("reason"))
        .containsExactly("clear", "smoke");
    assertThat(receipts)
        .allSatisfy(
            receipt -> {
              assertThat(receipt.text("operator_id")).isEqualTo(fixture.operator.id().value());
              assertThat(receipt.text("approver")).isEqualTo("tests");
              assertThat(receipt.text("note")).isEqualTo(halt.id().value());
              assertThat(receipt.document().get("billable").booleanValue()).isFalse();
            });
  }

  @Test
  void repeatedRequestsHaltAndLiftOnce() {
    HaltId id = HaltId.next(fixture.connectors.ids);
    Halt first = done(halts.halt(fixture.caller, id, TENANT, "smoke"));
    assertThat(done(halts.halt(fixture.caller, id, TENANT, "smoke"))).isEqualTo(first);
    Halt lifted = done(halts.lift(fixture.caller, id, "k", "clear"));
    assertThat(done(halts.lift(fixture.caller, id, "k", "clear"))).isEqualTo(lifted);
    assertThat(halts.lift(fixture.caller, id, "other", "clear")).isInstanceOf(Refused.class);
    assertThat(fixture.receipts()).hasSize(2);
  }

  @Test
  void aPinnedKeyHaltsItsOwnOperatorsButNotTheTenant() {
    Caller pinned = fixture.connectors.caller("ws-1");
    HaltId id = HaltId.next(fixture.connectors.ids);
    assertThat(Outcomes.refusal(halts.halt(pinned, id, TENANT, "smoke")))
        .isInstanceOf(Refusal.BeyondKey.class);
    assertThat(Outcomes.refusal(halts.halt(pinned, id, target(fixture.operator), "smoke")))
        .isInstanceOf(Refusal.NotFound.class);
    Operator own = fixture.operator("own-desk", ",'workspace_id':'ws-1'");
    Halt halt = done(halts.halt(pinned, id, target(own), "smoke"));
    assertThat(halt.workspaceId()).isEqualTo("ws-1");
    Halt tenants = halt(TENANT);
    PageRequest page = new PageRequest(10, null);
    assertThat(halts.list(pinned, null, page).items()).containsExactly(halt);
    assertThat(halts.list(fixture.caller, null, page).items()).containsExactly(tenants, halt);
    for (Halt any : List.of(halt, tenants)) {
      assertThat(Outcomes.refusal(halts.lift(pinned, any.id(), "k", "clear")))
          .isInstanceOf(Refusal.BeyondKey.class);
    }
  }

  @Test
  void theListTellsHaltsInForceFromThoseLifted() {
    Halt first = halt(TENANT);
    Halt second = halt(target(fixture.operator));
    Halt third = halt(target(fixture.sandbox));
    Halt lifted = lift(second);
    assertThat(halts.list(fixture.caller, true, new PageRequest(1, null)).items())
        .containsExactly(third);
    assertThat(halts.list(fixture.caller, true, new PageRequest(1, third.id().value())).items())
        .containsExactly(first);
    assertThat(halts.list(fixture.caller, false, new PageRequest(9, null)).items())
        .containsExactly(lifted);
  }

  @Test
  void aRepeatedHaltReturnsTheHaltInForce() {
    Halt first = halt(TENANT);
    for (int times = 0; times < 3; times++) {
      assertThat(again(fixture.caller, TENANT)).isEqualTo(first);
    }
    assertThat(fixture.receipts()).hasSize(1);
    lift(first);
    Halt second = halt(TENANT);
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(again(fixture.caller, TENANT)).isEqualTo(second);
    // Lifting what was lifted before does not end the one that came after it.
    assertThat(halts.lift(fixture.caller, first.id(), "other", "clear"))
        .isInstanceOf(Refused.class);
    assertThat(again(fixture.caller, TENANT)).isEqualTo(second);
  }

  private Halt again(Caller caller, Target target) {
    HaltId id = HaltId.next(fixture.connectors.ids);
    Halt halt = Outcomes.done(halts.halt(caller, id, target, "again"));
    assertThat(halt.id()).isNotEqualTo(id);
    return halt;
  }

  @Test
  void aRepeatedHaltWaitsForThePendingOneToBegin() {
    Instant begins = fixture.time.instant().plusSeconds(30);
    Halt beginning =
        new Halt(
            HaltId.next(fixture.connectors.ids),
            fixture.caller.partition(),
            TENANT,
            null,
            "smoke",
            "tests",
            fixture.caller.principal(),
            begins,
            null);
    fixture.store.write(HaltItems.insert(beginning));
    fixture.store.write(HaltRegister.enter(beginning));
    assertThat(again(fixture.caller, TENANT)).isEqualTo(beginning);
    assertThat(fixture.time.instant()).isEqualTo(begins);
  }

  @Test
  void repeatedHaltsNeverBlockANewOne() {
    Operator own = fixture.operator("own-desk", ",'workspace_id':'ws-1'");
    Caller pinned = fixture.connectors.caller("ws-1");
    Halt first =
        done(halts.halt(pinned, HaltId.next(fixture.connectors.ids), target(own), "smoke"));
    for (int times = 0; times < 2 * HaltRegister.MOST_IN_FORCE; times++) {
      assertThat(again(pinned, target(own))).isEqualTo(first);
    }
    halt(TENANT);
  }

  @Test
  void theRegisterStaysSmallAfterManyHaltsAndLifts() {
    for (int times = 0; times < 50; times++) {
      lift(halt(TENANT));
      lift(halt(target(fixture.operator)));
    }
    assertThat(
            fixture
                .store
                .get(HaltRegister.key(fixture.caller.partition()))
                .orElseThrow()
                .attributes())
        .containsOnlyKeys("last_lift", "version");
  }

  @Test
  void theTenantCanBeHaltedEvenAtTheMaximumOfHalts() {
    for (int number = 0; number < HaltRegister.MOST_IN_FORCE; number++) {
      Target target =
          new Target(HaltScope.OPERATOR, OperatorId.next(fixture.connectors.ids).value());
      fixture.store.write(
          HaltRegister.enter(
              new Halt(
                  HaltId.next(fixture.connectors.ids),
                  fixture.caller.partition(),
                  target,
                  null,
                  "smoke",
                  "tests",
                  fixture.caller.principal(),
                  fixture.time.instant(),
                  null)));
    }
    HaltId id = HaltId.next(fixture.connectors.ids);
    assertThat(
            Outcomes.refusal(halts.halt(fixture.caller, id, target(fixture.operator), "one more")))
        .isInstanceOf(Refusal.QuotaExceeded.class);
    halt(TENANT);
  }

  @Test
  void onlyAKeyThatReachesEverythingHaltsTheTenantOrLifts() {
    Operator bound = fixture.operator("bound-desk", "");
    Caller toOne = boundTo(bound);
    HaltId id = HaltId.next(fixture.connectors.ids);
    assertThat(Outcomes.refusal(halts.halt(toOne, id, TENANT, "smoke")))
        .isInstanceOf(Refusal.BeyondKey.class);
    for (Target other : List.of(target(fixture.operator), target(fixture.sandbox))) {
      assertThat(Outcomes.refusal(halts.halt(toOne, id, other, "smoke")))
          .isInstanceOf(Refusal.NotFound.class);
    }
    Halt own = done(halts.halt(toOne, id, target(bound), "smoke"));
    Halt others = halt(target(fixture.operator));
    PageRequest page = new PageRequest(10, null);
    assertThat(halts.list(toOne, null, page).items()).containsExactly(own);
    assertThat(halts.list(toOne, true, page).items()).containsExactly(own);
    for (Halt any : List.of(own, others)) {
      assertThat(Outcomes.refusal(halts.lift(toOne, any.id(), "k", "clear")))
          .isInstanceOf(Refusal.BeyondKey.class);
    }
  }

  private Caller boundTo(Operator operator) {
    Caller free = fixture.caller;
    return new Caller(
        free.requestId(),
        free.partition(),
        free.resellerId(),
        free.credential(),
        free.scopes(),
        null,
        Set.of(operator.id()));
  }

  @Test
  void aHaltRecordsWhoHaltedAndWhoLifted() {
    Halt halt = halt(TENANT);
    assertThat(halt.principal()).isEqualTo(fixture.caller.principal());
    assertThat(liftOf(lift(halt)).principal()).isEqualTo(fixture.caller.principal());
    assertThat(fixture.receipts())
        .hasSize(2)
        .allSatisfy(
            receipt -> {
              JsonNode decided = receipt.document().at("/decided_by/0");
              assertThat(decided.path("id").asText()).isEqualTo(fixture.caller.principal().id());
              assertThat(decided.path("method").asText()).isEqualTo("key");
              assertThat(decided.path("claimed_as").isNull()).isTrue();
            });
  }
}
