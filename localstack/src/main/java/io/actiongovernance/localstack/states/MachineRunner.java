package io.actiongovernance.localstack.states;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.lambda.EventSource;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.states.StateMachine.Choice;
import io.actiongovernance.localstack.states.StateMachine.Fail;
import io.actiongovernance.localstack.states.StateMachine.Pass;
import io.actiongovernance.localstack.states.StateMachine.Retrier;
import io.actiongovernance.localstack.states.StateMachine.State;
import io.actiongovernance.localstack.states.StateMachine.Succeed;
import io.actiongovernance.localstack.states.StateMachine.Task;
import io.actiongovernance.localstack.states.StateMachine.Wait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the executions of one state machine, each on a thread of its own. Those that are not over
 * when it stops go on when it is made again over the same folder: what fell due meanwhile is done
 * at once. A task may then be done once more. Thread-safe.
 */
public final class MachineRunner implements EventSource {
  private static final Logger LOG = LoggerFactory.getLogger(MachineRunner.class);

  /** A clock may be set, and a machine may sleep: how long a wait goes without a look at it. */
  private static final Duration LONGEST_NAP = Duration.ofSeconds(30);

  /** How many of those that are over are remembered. */
  private static final int MOST_REMEMBERED = 10_000;

  private final StateMachine machine;
  private final Lambda function;
  private final Semaphore tasks;
  private final ExecutionFiles files;
  private final InstantSource clock;
  private final Map<String, Running> running = new HashMap<>();
  private final Map<String, Ended> ended =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Ended> eldest) {
          return size() > MOST_REMEMBERED;
        }
      };
  private boolean stopped;

  /** What has become of an execution. */
  public enum Status {
    RUNNING,
    SUCCEEDED,
    FAILED,
    ABORTED
  }

  /** An execution that is over. */
  private record Ended(Execution execution, Status status) {}

  /** An execution's state of affairs, for whoever asks. */
  public record Described(JsonNode input, Instant startedAt, Status status) {}

  /** That there is an execution of the name, with another input or over. */
  public static final class AlreadyExists extends Exception {
    AlreadyExists(String name) {
      super("Execution already exists: " + name);
    }
  }

  /** One execution's thread. Its count falls to zero when it is to go on no further. */
  private static final class Running {
    private final Execution first;
    private final CountDownLatch halted = new CountDownLatch(1);
    private volatile boolean aborted;
    private volatile @Nullable Thread thread;

    Running(Execution first) {
      this.first = first;
    }
  }

  /**
   * Begins where it was when it last stopped.
   *
   * @param folder what remembers the executions; nobody else uses it
   * @param concurrency how many tasks run at once, at most
   */
  public MachineRunner(
      StateMachine machine, Lambda function, int concurrency, Path folder, InstantSource clock)
      throws IOException {
    this.machine = machine;
    this.function = function;
    this.tasks = new Semaphore(concurrency, true);
    this.files = new ExecutionFiles(folder);
    this.clock = clock;
    for (Execution left : files.all()) {
      run(left);
    }
  }

  /**
   * Starts an execution, which is written down when this returns. The same once more, while it
   * runs, changes nothing.
   *
   * @return when it was started
   */
  public synchronized Instant start(String name, JsonNode input) throws AlreadyExists {
    Running same = running.get(name);
    if (same != null && same.first.input().equals(input)) {
      return same.first.startedAt();
    }
    if (same != null || ended.containsKey(name)) {
      throw new AlreadyExists(name);
    }
    Execution fresh = new Execution(name, input, clock.instant(), machine.startAt(), input);
    files.write(fresh);
    run(fresh);
    return fresh.startedAt();
  }

  /** Ends an execution; a task that it is at is finished, and nothing comes after it. */
  public synchronized boolean abort(String name) {
    Running one = running.get(name);
    if (one == null) {
      return ended.containsKey(name);
    }
    one.aborted = true;
    one.halted.countDown();
    end(one, Status.ABORTED);
    return true;
  }

  public synchronized Optional<Described> describe(String name) {
    Running one = running.get(name);
    if (one != null) {
      return Optional.of(new Described(one.first.input(), one.first.startedAt(), Status.RUNNING));
    }
    return Optional.ofNullable(ended.get(name))
        .map(
            over ->
                new Described(
                    over.execution().input(), over.execution().startedAt(), over.status()));
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    running.values().forEach(one -> one.halted.countDown());
  }

  @Override
  public void join() throws InterruptedException {
    Map<String, Running> left;
    synchronized (this) {
      left = new HashMap<>(running);
    }
    for (Running one : left.values()) {
      Thread thread = one.thread;
      if (thread != null) {
        thread.join();
      }
    }
  }

  private synchronized void run(Execution execution) {
    Running one = new Running(execution);
    running.put(execution.name(), one);
    if (!stopped) {
      one.thread = Thread.ofVirtual().name(execution.name()).start(() -> run(one));
    }
  }

  private void run(Running one) {
    Execution now = one.first;
    try {
      while (one.halted.getCount() > 0) {
        State state = Optional.ofNullable(machine.states().get(now.state())).orElseThrow();
        switch (state) {
          case Wait wait -> {
            if (!napUntil(one, wait.until(now.data()))) {
              return;
            }
            now = now.in(wait.next(), now.data());
          }
          case Task task -> {
            Optional<JsonNode> answer = perform(one, task, now);
            if (answer.isEmpty()) {
              return;
            }
            now = now.in(task.next(), task.result().put(now.data(), answer.get()));
          }
          case Pass pass ->
              now =
                  now.in(
                      pass.next(), pass.result().put(now.data(), pass.input().require(now.data())));
          case Choice choice -> now = now.in(choice.next(now.data()), now.data());
          case Succeed _ -> {
            endUnlessAborted(one, Status.SUCCEEDED);
            return;
          }
          case Fail(String error, String cause) -> throw new ExecutionFailed(error, cause);
        }
        remember(one, now);
      }
    } catch (ExecutionFailed e) {
      LOG.error("The execution {} failed: {}: {}", now.name(), e.error(), e.getMessage());
      endUnlessAborted(one, Status.FAILED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Its file stays, and it goes on from there after a restart.
      LOG.error("The execution {} cannot go on", now.name(), e);
    }
  }

  /** Where it is to go on after a restart: what comes before the next wait can be done again. */
  private synchronized void remember(Running one, Execution now) {
    if (!one.aborted && machine.states().get(now.state()) instanceof Wait) {
      files.write(now);
    }
  }

  private synchronized void endUnlessAborted(Running one, Status status) {
    if (!one.aborted) {
      end(one, status);
    }
  }

  private void end(Running one, Status status) {
    String name = one.first.name();
    files.delete(name);
    running.remove(name);
    ended.put(name, new Ended(one.first, status));
  }

  /** Returns true at that instant, or false as soon as the execution is to go on no further. */
  private boolean napUntil(Running one, Instant until) throws InterruptedException {
    while (true) {
      Duration left = Duration.between(clock.instant(), until);
      if (!left.isPositive()) {
        return one.halted.getCount() > 0;
      }
      // Rounded up, so that it does not wake before the time and nap again and again.
      long millis = left.compareTo(LONGEST_NAP) > 0 ? LONGEST_NAP.toMillis() : left.toMillis() + 1;
      if (one.halted.await(millis, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
  }

  /** The function's answer, or nothing if the execution is to go on no further. */
  private Optional<JsonNode> perform(Running one, Task task, Execution now)
      throws ExecutionFailed, InterruptedException {
    Map<Retrier, Integer> retries = new HashMap<>();
    while (true) {
      try {
        return invoke(one, now.data());
      } catch (Lambda.InvocationFailed e) {
        Retrier retrier = task.retrier(e.errorType()).orElse(null);
        int retry = retrier == null ? 0 : retries.merge(retrier, 1, Integer::sum);
        if (retrier == null || retry > retrier.attempts()) {
          LOG.error("The function {} failed for good", function.name(), e);
          throw new ExecutionFailed(e.errorType(), String.valueOf(e.getMessage()));
        }
        LOG.warn("The function {} failed, and is tried again", function.name(), e);
        if (!napUntil(one, clock.instant().plus(retrier.pause(retry - 1)))) {
          return Optional.empty();
        }
      }
    }
  }

  private Optional<JsonNode> invoke(Running one, JsonNode input)
      throws Lambda.InvocationFailed, InterruptedException {
    tasks.acquire();
    try {
      if (one.halted.getCount() == 0) {
        return Optional.empty();
      }
      byte[] answer = function.invoke(Json.write(input).getBytes(StandardCharsets.UTF_8));
      return Optional.of(Json.read(new String(answer, StandardCharsets.UTF_8)));
    } finally {
      tasks.release();
    }
  }
}
