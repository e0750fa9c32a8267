package io.actiongovernance.operator;

import static io.actiongovernance.operator.OperatorFixture.done;
import static io.actiongovernance.operator.OperatorFixture.guardrails;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;

/** What many do at once comes out as if they had done it one after another. */
class OperatorRacesTest {
  private final OperatorFixture given = new OperatorFixture();

  private static Outcome<Operator> full() {
    return Outcome.refused(
        new Refusal.QuotaExceeded(
            "The tenant already has 25 active operators, the maximum. Pause or archive one first."));
  }

  private static Outcome<Operator> wrongState(String status) {
    return Outcome.refused(new Refusal.Conflict("The operator is " + status + "."));
  }

  private static Outcome<Operator> nameTaken(String name) {
    return Outcome.refused(new Refusal.Conflict("An operator named " + name + " already exists."));
  }

  private static Outcome<Operator> stale(int version) {
    return Outcome.refused(
        new Refusal.Conflict(
            "The guardrails are at version "
                + version
                + ", not at expected_version. Read them again."));
  }

  @RepeatedTest(10)
  void oneOfManyCreationsWithOneNameWins() throws Exception {
    List<Outcome<Operator>> outcomes = together(8, _ -> given.create(given.caller, "one-desk", ""));
    assertThat(outcomes).filteredOn(Done.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(nameTaken("one-desk")::equals).hasSize(7);
    assertThat(given.operators.active(given.live)).hasSize(1);
  }

  @RepeatedTest(5)
  void concurrentCreationsNeverExceedTheQuota() throws Exception {
    for (int count = 0; count < 20; count++) {
      given.created("desk-" + count, "");
    }
    List<Outcome<Operator>> outcomes =
        together(12, at -> given.create(given.caller, "race-" + at, ""));
    assertThat(outcomes).filteredOn(Done.class::isInstance).hasSize(5);
    assertThat(outcomes).filteredOn(full()::equals).hasSize(7);
    assertThat(given.operators.active(given.live)).hasSize(25);
  }

  @RepeatedTest(10)
  void oneOfManyPutsOfOneVersionWins() throws Exception {
    Operator operator = given.created();
    List<Outcome<Operator>> outcomes =
        together(
            8,
            at ->
                given.operators.putGuardrails(
                    given.caller,
                    operator.id(),
                    guardrails("'name':'r" + at + "','decision':'ALLOW','tool':'pay.refund'"),
                    1,
                    null,
                    given.ids.next()));
    assertThat(outcomes).filteredOn(Done.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(stale(2)::equals).hasSize(7);
    Operator winner =
        done(outcomes.stream().filter(Done.class::isInstance).findFirst().orElseThrow());
    Operator found = given.operators.find(given.caller, operator.id()).orElseThrow();
    assertThat(found.guardrails().json()).isEqualTo(winner.guardrails().json());
  }

  @RepeatedTest(10)
  void noUpdateIsLost() throws Exception {
    Operator operator = given.created();
    List<String> fields =
        List.of(
            "'display_name':'A'",
            "'description':'B'",
            "'instructions':'C'",
            "'entity_template':'D'",
            "'plan_ttl_seconds':7",
            "'capabilities':['pay']",
            "'guardrails':[]",
            "'guardrails':[]");
    together(fields.size(), at -> given.update(operator.id(), fields.get(at)));
    Operator found = given.operators.find(given.caller, operator.id()).orElseThrow();
    assertThat(found.displayName()).isEqualTo("A");
    assertThat(found.description()).isEqualTo("B");
    assertThat(found.instructions()).isEqualTo("C");
    assertThat(found.entityTemplate()).isEqualTo("D");
    assertThat(found.planTtlSeconds()).isEqualTo(7);
    assertThat(found.capabilities()).containsExactly("pay");
    assertThat(found.guardrailsVersion()).isEqualTo(3);
  }

  @RepeatedTest(10)
  void oneOfManyPausesSucceedsAndTheQuotaCountsItOnce() throws Exception {
    Operator operator = given.created();
    List<Outcome<Operator>> outcomes = together(6, _ -> given.pause(operator));
    assertThat(outcomes).filteredOn(Done.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(wrongState("paused")::equals).hasSize(5);
    for (int count = 0; count < 25; count++) {
      given.created("desk-" + count, "");
    }
    assertThat(given.resume(operator)).isEqualTo(full());
  }

  @RepeatedTest(10)
  void oneOfManyRenamesToOneNameWins() throws Exception {
    List<Operator> operators =
        IntStream.range(0, 6).mapToObj(at -> given.created("desk-" + at, "")).toList();
    List<Outcome<Operator>> outcomes =
        together(6, at -> given.update(operators.get(at).id(), "'name':'the-desk'"));
    assertThat(outcomes).filteredOn(Done.class::isInstance).hasSize(1);
    assertThat(outcomes).filteredOn(nameTaken("the-desk")::equals).hasSize(5);
  }

  private static List<Outcome<Operator>> together(int threads, IntFunction<Outcome<Operator>> what)
      throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Future<Outcome<Operator>>> futures = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int thread = 0; thread < threads; thread++) {
        int at = thread;
        Callable<Outcome<Operator>> task =
            () -> {
              start.await();
              return what.apply(at);
            };
        futures.add(executor.submit(task));
      }
      start.countDown();
      List<Outcome<Operator>> outcomes = new ArrayList<>();
      for (Future<Outcome<Operator>> future : futures) {
        outcomes.add(future.get());
      }
      return outcomes;
    }
  }
}
