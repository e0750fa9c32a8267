package io.actiongovernance.localstack.states;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.states.MachineRunner.AlreadyExists;
import io.actiongovernance.localstack.states.MachineRunner.Status;
import io.actiongovernance.time.Timestamps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timers, with functions that do as told. */
final class MachineRunnerTest {
  private static final Map<String, Object> DONE = Map.of("done", true);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final Scripted function = new Scripted();

  /** Notes what it is asked and answers what it is told to. */
  static final class Scripted implements RequestHandler<Map<String, Object>, Map<String, Object>> {
    final List<String> asked = new CopyOnWriteArrayList<>();
    final AtomicInteger atOnce = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();
    volatile Function<Integer, Map<String, Object>> answer = time -> DONE;

    @Override
    public Map<String, Object> handleRequest(Map<String, Object> input, Context context) {
      most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
      try {
        asked.add(String.valueOf(input.get("plan_id")));
        return answer.apply(asked.size());
      } finally {
        atOnce.decrementAndGet();
      }
    }
  }

  private MachineRunner runner() throws Exception {
    return runner(2);
  }

  private MachineRunner runner(int concurrency) throws Exception {
    return new MachineRunner(
        new Lambda("expire-plan", Duration.ofSeconds(5), function),
        concurrency,
        folder,
        InstantSource.system());
  }

  private static void stop(MachineRunner runner) throws InterruptedException {
    runner.stop();
    runner.join();
  }

  private static JsonNode input(String plan, Instant until) {
    return Json.object().put("wait_until", Timestamps.format(until)).put("plan_id", plan);
  }

  private static JsonNode dueNow(String plan) {
    return input(plan, Instant.now());
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  private static void awaitStatus(MachineRunner runner, String name, Status status)
      throws InterruptedException {
    await(() -> runner.describe(name).orElseThrow().status() == status);
  }

  private int files() throws Exception {
    try (Stream<Path> all = Files.list(folder)) {
      return (int) all.count();
    }
  }

  @Test
  void aDoneAnswerEndsTheExecutionAndLeavesNoFile() throws Exception {
    MachineRunner runner = runner();
    runner.start("a", dueNow("pl_a"));
    awaitStatus(runner, "a", Status.SUCCEEDED);
    assertThat(function.asked).containsExactly("pl_a");
    assertThat(files()).isZero();
    stop(runner);
  }

  @Test
  void aWaitUntilAnswerInvokesTheFunctionAgainThen() throws Exception {
    Instant again = Instant.now().plusMillis(400);
    function.answer = time -> time == 1 ? Map.of("wait_until", Timestamps.format(again)) : DONE;
    MachineRunner runner = runner();
    runner.start("a", dueNow("pl_a"));
    awaitStatus(runner, "a", Status.SUCCEEDED);
    assertThat(Instant.now()).isAfterOrEqualTo(again.minusMillis(1));
    assertThat(function.asked).containsExactly("pl_a", "pl_a");
    stop(runner);
  }

  @Test
  void aFunctionThatFailsIsTriedAgain() throws Exception {
    function.answer =
        time -> {
          if (time == 1) {
            throw new IllegalStateException("broken on purpose");
          }
          return DONE;
        };
    MachineRunner runner = runner();
    runner.start("a", dueNow("pl_a"));
    awaitStatus(runner, "a", Status.SUCCEEDED);
    assertThat(function.asked).hasSize(2);
    stop(runner);
  }

  @Test
  void anyOtherAnswerFailsTheExecution() throws Exception {
    function.answer = time -> Map.of("done", false);
    MachineRunner runner = runner();
    runner.start("a", dueNow("pl_a"));
    awaitStatus(runner, "a", Status.FAILED);
    runner.start("b", Json.object().put("plan_id", "pl_b"));
    awaitStatus(runner, "b", Status.FAILED);
    assertThat(files()).isZero();
    stop(runner);
  }

  @Test
  void aNameIsUsedOnceAndARepeatedStartChangesNothing() throws Exception {
    MachineRunner runner = runner();
    Instant later = Instant.now().plusSeconds(3_600);
    Instant started = runner.start("a", input("pl_a", later));
    assertThat(runner.start("a", input("pl_a", later))).isEqualTo(started);
    assertThatThrownBy(() -> runner.start("a", dueNow("pl_a"))).isInstanceOf(AlreadyExists.class);
    assertThat(runner.abort("a")).isTrue();
    assertThat(runner.describe("a").orElseThrow().status()).isEqualTo(Status.ABORTED);
    assertThatThrownBy(() -> runner.start("a", input("pl_a", later)))
        .isInstanceOf(AlreadyExists.class);
    assertThat(runner.abort("never-was")).isFalse();
    assertThat(files()).isZero();
    stop(runner);
  }

  @Test
  void anExecutionAbortedDuringItsTaskEnds() throws Exception {
    CountDownLatch inTask = new CountDownLatch(1);
    CountDownLatch aborted = new CountDownLatch(1);
    function.answer =
        time -> {
          inTask.countDown();
          try {
            aborted.await(5, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Map.of("wait_until", Timestamps.format(Instant.now()));
        };
    MachineRunner runner = runner();
    runner.start("a", dueNow("pl_a"));
    inTask.await();
    runner.abort("a");
    aborted.countDown();
    stop(runner);
    assertThat(function.asked).hasSize(1);
    assertThat(runner.describe("a").orElseThrow().status()).isEqualTo(Status.ABORTED);
    assertThat(files()).isZero();
  }

  @Test
  void afterARestartOverdueExecutionsRunAndOthersWait() throws Exception {
    MachineRunner first = runner();
    Instant soon = Instant.now().plusMillis(300);
    for (int number = 0; number < 20; number++) {
      first.start("due-" + number, input("pl_" + number, soon));
    }
    first.start("later", input("pl_later", Instant.now().plusSeconds(3_600)));
    stop(first);
    assertThat(files()).isEqualTo(21);
    await(() -> Instant.now().isAfter(soon));
    MachineRunner second = runner();
    await(() -> function.asked.size() == 20);
    assertThat(function.asked).doesNotContain("pl_later").doesNotHaveDuplicates();
    assertThat(function.most.get()).isLessThanOrEqualTo(2);
    assertThat(second.describe("later").orElseThrow().status()).isEqualTo(Status.RUNNING);
    for (int number = 0; number < 20; number++) {
      String done = "due-" + number;
      awaitStatus(second, done, Status.SUCCEEDED);
    }
    stop(second);
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void aRestartContinuesFromTheLastWait() throws Exception {
    Instant later = Instant.now().plusSeconds(3_600);
    function.answer = time -> Map.of("wait_until", Timestamps.format(later));
    MachineRunner first = runner();
    first.start("a", dueNow("pl_a"));
    await(() -> function.asked.size() == 1);
    await(() -> waitsUntil("a", later));
    stop(first);
    MachineRunner second = runner();
    assertThat(second.describe("a").orElseThrow().status()).isEqualTo(Status.RUNNING);
    stop(second);
    assertThat(function.asked).hasSize(1);
  }

  private boolean waitsUntil(String name, Instant until) {
    try {
      JsonNode data = Json.read(Files.readString(folder.resolve(name + ".json"))).path("data");
      return data.path("wait_until").asText().equals(Timestamps.format(until));
    } catch (java.io.IOException e) {
      return false;
    }
  }
}
