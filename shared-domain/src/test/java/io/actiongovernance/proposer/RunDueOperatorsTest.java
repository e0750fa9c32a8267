package io.actiongovernance.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.event.HandedOn;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.store.Store;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Operators that run by a schedule (contract, section 4). */
final class RunDueOperatorsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final LoopFixture fixture = new LoopFixture();
  private final ProposalRequests requests = new ProposalRequests(fixture.store, fixture.time);
  private final RunDueOperators runDue = runDue(fixture.store);

  private RunDueOperators runDue(Store store) {
    return new RunDueOperators(
        store,
        new ProposalRequests(store, fixture.time),
        new MissedEvents(store, new HandedOn(store, fixture.time, fixture.time), (_, _) -> {}),
        fixture.connectors.transactions,
        fixture.time);
  }

  private static int run(RunDueOperators all) {
    return IntStream.range(0, DueIndex.SHARDS).map(all::run).sum();
  }

  private Operator scheduled(String schedule) {
    String plan =
        "{'event_type':null,'reasoning':'It is time.','actions':[{'connector':'%s','tool':"
            + "'sandbox.payment.refund','args':{'order':'1','amount':'5'},'value':5,"
            + "'entity_key':'order:1'}]}";
    return fixture.operator(
        "daily-desk",
        ",'triggers':{'schedule':'%s'},'model':{'provider':'scripted','plans':[%s]}"
            .formatted(schedule, plan.formatted(fixture.sandbox.id())));
  }

  private void pass(Duration duration) {
    fixture.time.pass(duration);
  }

  /** The request of the run that is due at the instant, if it was asked for. */
  private boolean asked(Operator operator, Instant at) {
    return requests.find(operator.partition(), id(operator, at)).isPresent();
  }

  private static String id(Operator operator, Instant at) {
    return operator.id() + "#" + Timestamps.format(at);
  }

  @Test
  void anOperatorIsAskedOnceForEachTimeItIsDue() {
    Operator operator = scheduled("rate(1 minute)");
    Instant first = operator.createdAt().plus(MINUTE);
    assertThat(run(runDue)).isZero();
    pass(MINUTE);
    assertThat(run(runDue)).isEqualTo(1);
    assertThat(run(runDue)).isZero();
    assertThat(asked(operator, first)).isTrue();
    pass(MINUTE);
    assertThat(run(runDue)).isEqualTo(1);
    assertThat(asked(operator, first.plus(MINUTE))).isTrue();
  }

  @Test
  void aRepeatedScheduledRunMakesOnePlanWithoutAnEvent() {
    Operator operator = scheduled("rate(1 minute)");
    pass(MINUTE);
    run(runDue);
    ProposalRequest request =
        requests
            .find(operator.partition(), id(operator, operator.createdAt().plus(MINUTE)))
            .orElseThrow();
    fixture.loop.proposing().proposeForEvent().propose(operator.partition(), request);
    fixture.loop.proposing().proposeForEvent().propose(operator.partition(), request);
    fixture.deliver();
    assertThat(fixture.calls).hasSize(1);
    Plan plan =
        fixture.loop.reading().plans().newestOf(operator.partition(), operator.id()).orElseThrow();
    assertThat(plan.terms().eventId()).isNull();
    assertThat(plan.terms().requestId()).isNull();
    assertThat(plan.state()).isEqualTo(Plan.State.EXECUTED);
  }

  @Test
  void eachRunHasItsOwnIdempotencyKeys() {
    Operator operator = scheduled("rate(1 minute)");
    for (int run = 1; run <= 2; run++) {
      pass(MINUTE);
      run(runDue);
      Instant due = operator.createdAt().plus(MINUTE.multipliedBy(run));
      fixture
          .loop
          .proposing()
          .proposeForEvent()
          .propose(
              operator.partition(),
              requests.find(operator.partition(), id(operator, due)).orElseThrow());
      fixture.deliver();
    }
    assertThat(fixture.calls).hasSize(2);
  }

  @Test
  void onlyTheLatestMissedRunIsAskedFor() {
    Operator operator = scheduled("rate(1 minute)");
    pass(Duration.ofHours(3).plusSeconds(30));
    assertThat(run(runDue)).isEqualTo(1);
    assertThat(asked(operator, operator.createdAt().plus(Duration.ofHours(3)))).isTrue();
    assertThat(asked(operator, operator.createdAt().plus(MINUTE))).isFalse();
    pass(Duration.ofSeconds(30));
    assertThat(run(runDue)).isEqualTo(1);
  }

  @Test
  void onlyAnActiveOperatorRuns() {
    Operator operator = scheduled("rate(1 minute)");
    fixture.operators.pause(fixture.caller, operator.id(), fixture.connectors.ids.next());
    pass(Duration.ofHours(1));
    assertThat(run(runDue)).isZero();
    fixture.operators.resume(fixture.caller, operator.id(), fixture.connectors.ids.next());
    assertThat(run(runDue)).isZero();
    pass(MINUTE);
    assertThat(run(runDue)).isEqualTo(1);
    fixture.operators.archive(fixture.caller, operator.id(), fixture.connectors.ids.next());
    pass(Duration.ofHours(1));
    assertThat(run(runDue)).isZero();
  }

  @Test
  void aRequestedRunIsDroppedIfTheOperatorIsPaused() {
    Operator operator = scheduled("rate(1 minute)");
    pass(MINUTE);
    run(runDue);
    fixture.operators.pause(fixture.caller, operator.id(), fixture.connectors.ids.next());
    ProposalRequest request =
        requests
            .find(operator.partition(), id(operator, operator.createdAt().plus(MINUTE)))
            .orElseThrow();
    fixture.loop.proposing().proposeForEvent().propose(operator.partition(), request);
    assertThat(fixture.loop.reading().plans().newestOf(operator.partition(), operator.id()))
        .isEmpty();
  }

  @Test
  void anUnrelatedOperatorChangeKeepsItsNextRun() {
    Operator operator = scheduled("rate(1 minute)");
    pass(Duration.ofSeconds(40));
    change(operator, "{'display_name':'Daily'}");
    pass(Duration.ofSeconds(20));
    assertThat(run(runDue)).isEqualTo(1);
  }

  @Test
  void anotherScheduleCountsFromItsChange() {
    Operator operator = scheduled("rate(1 minute)");
    pass(Duration.ofSeconds(40));
    change(operator, "{'triggers':{'schedule':'rate(2 minutes)'}}");
    pass(MINUTE);
    assertThat(run(runDue)).isZero();
    pass(MINUTE);
    assertThat(run(runDue)).isEqualTo(1);
    change(operator, "{'triggers':{'schedule':null}}");
    pass(Duration.ofHours(1));
    assertThat(run(runDue)).isZero();
  }

  private Operator found(Operator operator) {
    return fixture.operators.find(operator.partition(), operator.id()).orElseThrow();
  }

  @Test
  void aScheduleWithoutAFurtherTimeRunsForTheLastTimeAndSaysSo() {
    Operator operator = scheduled("cron(* * ? * * 2026)");
    assertThat(operator.statusReason()).isNull();
    Instant last = Instant.parse("2026-12-31T23:59:00Z");
    pass(Duration.between(fixture.time.instant(), last));
    assertThat(run(runDue)).isEqualTo(1);
    assertThat(asked(operator, last)).isTrue();
    Operator ended = found(operator);
    assertThat(ended.status()).isEqualTo(OperatorStatus.ACTIVE);
    assertThat(ended.statusReason())
        .isEqualTo("triggers.schedule has no future run, so the operator no longer runs by it.");
    pass(Duration.ofDays(400));
    assertThat(run(runDue)).isZero();
    change(operator, "{'display_name':'Ended'}");
    assertThat(found(operator).statusReason()).contains("no future run");
    fixture.operators.pause(fixture.caller, operator.id(), fixture.connectors.ids.next());
    assertThat(found(operator).statusReason()).isNull();
    fixture.operators.resume(fixture.caller, operator.id(), fixture.connectors.ids.next());
    assertThat(found(operator).statusReason()).contains("no future run");
    change(operator, "{'triggers':{'schedule':'rate(1 minute)'}}");
    assertThat(found(operator).statusReason()).isNull();
    pass(MINUTE);
    assertThat(run(runDue)).isEqualTo(1);
  }

  private void change(Operator operator, String body) {
    OperatorFixture.done(
        fixture.operators.update(
            fixture.caller,
            operator.id(),
            OperatorFixture.body(body),
            fixture.connectors.ids.next()));
  }

  @Test
  void invocationsThatOverlapAskOnce() throws Exception {
    Operator operator = scheduled("rate(1 minute)");
    pass(MINUTE);
    List<Callable<Integer>> all = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      all.add(() -> run(runDue(fixture.store)));
    }
    int asked = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (Future<Integer> one : threads.invokeAll(all)) {
        asked += one.get();
      }
    }
    assertThat(asked).isEqualTo(1);
    assertThat(asked(operator, operator.createdAt().plus(MINUTE))).isTrue();
  }
}
