package io.actiongovernance.localstack.states;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.lambda.EventSource;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.time.Timestamps;
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
 * Runs the timers of one kind as Step Functions does by the deployed definition ({@link
 * io.actiongovernance.functions.trigger.StateMachines}), each on its own thread. Timers that have
 * not ended when the runner stops continue when a runner is created again over the same folder. If
 * they became due in between, they continue immediately. Their function may then be invoked once
 * more. Thread-safe.
 */
public final class MachineRunner implements EventSource {
  private static final Logger LOG = LoggerFactory.getLogger(MachineRunner.class);

  /**
   * Longest wait without reading the clock, because a clock may be set, and a machine may sleep.
   */
  private static final Duration LONGEST_NAP = Duration.ofSeconds(30);

  /** Maximum number of ended executions that are remembered. */
  private static final int MOST_REMEMBERED = 10_000;

  /**
   * Number of retries of a function that fails. Each pause is twice the previous one, up to the
   * longest.
   */
  static final int RETRIES = 20;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final String WAIT_UNTIL = "wait_until";

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

  public enum Status {
    RUNNING,
    SUCCEEDED,
    FAILED,
    ABORTED
  }

  /** Thrown if a timer cannot continue. The log contains the timer's name and then the reason. */
  private static final class Failed extends Exception {
    private static final long serialVersionUID = 1;

    Failed(String reason) {
      super(reason);
    }
  }

  private record Ended(Execution execution, Status status) {}

  /** State of an execution, as callers see it. */
  public record Described(JsonNode input, Instant startedAt, Status status) {}

  /** Thrown if an execution of the name exists with another input, or has ended. */
  public static final class AlreadyExists extends Exception {
    AlreadyExists(String name) {
      super("Execution already exists: " + name);
    }
  }

  /** The thread of one execution. The latch opens when the execution must not continue. */
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
   * Continues the executions that the folder keeps.
   *
   * @param folder keeps the executions, and is used only by this object
   * @param concurrency maximum number of tasks at once
   */
  public MachineRunner(Lambda function, int concurrency, Path folder, InstantSource clock)
      throws IOException {
    this.function = function;
    this.tasks = new Semaphore(concurrency, true);
    this.files = new ExecutionFiles(folder);
    this.clock = clock;
    for (Execution left : files.all()) {
      run(left);
    }
  }

  /**
   * Starts an execution, which is on disk when this method returns. Starting it again with the same
   * input while it runs changes nothing.
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
    Execution fresh = new Execution(name, input, clock.instant(), input);
    files.write(fresh);
    run(fresh);
    return fresh.startedAt();
  }

  /** Ends an execution. A task in progress is finished, and no further task follows. */
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
      while (napUntil(one, due(now))) {
        Optional<JsonNode> answered = perform(one, now.data());
        if (answered.isEmpty()) {
          return;
        }
        JsonNode answer = answered.get();
        if (!answer.has(WAIT_UNTIL)) {
          if (!answer.path("done").equals(BooleanNode.TRUE)) {
            throw new Failed("it answered neither done nor a time to wait until.");
          }
          endUnlessAborted(one, Status.SUCCEEDED);
          return;
        }
        ObjectNode data = now.data().deepCopy();
        data.set("answer", answer);
        data.set(WAIT_UNTIL, answer.path(WAIT_UNTIL));
        now = now.with(data);
        remember(one, now);
      }
    } catch (Failed e) {
      LOG.error("The timer {} of {} failed: {}", now.name(), function.name(), e.getMessage());
      endUnlessAborted(one, Status.FAILED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      // Its file stays, so that the timer continues from there after a restart.
      LOG.error("The timer {} cannot go on", now.name(), e);
    }
  }

  private static Instant due(Execution now) throws Failed {
    String until = now.data().path(WAIT_UNTIL).asText();
    return Timestamps.parse(until)
        .orElseThrow(() -> new Failed(WAIT_UNTIL + " is not a timestamp: " + until));
  }

  private synchronized void remember(Running one, Execution now) {
    if (!one.aborted) {
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

  /**
   * Waits until that instant. Returns true then, or false as soon as the execution must not
   * continue.
   */
  private boolean napUntil(Running one, Instant until) throws InterruptedException {
    while (true) {
      Duration left = Duration.between(clock.instant(), until);
      if (!left.isPositive()) {
        return one.halted.getCount() > 0;
      }
      // Rounded up, so that the thread does not wake before the time and wait repeatedly.
      long millis = left.compareTo(LONGEST_NAP) > 0 ? LONGEST_NAP.toMillis() : left.toMillis() + 1;
      if (one.halted.await(millis, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
  }

  /**
   * Invokes the function, with retries; returns its answer, or empty if the execution must not
   * continue.
   */
  private Optional<JsonNode> perform(Running one, JsonNode input)
      throws Failed, InterruptedException {
    for (int retry = 0; ; retry++) {
      try {
        return invoke(one, input);
      } catch (Lambda.InvocationFailed e) {
        if (retry == RETRIES) {
          LOG.error("The function {} failed for good", function.name(), e);
          throw new Failed("it failed each time.");
        }
        LOG.warn("The function {} failed, and is tried again", function.name(), e);
        if (!napUntil(one, clock.instant().plus(pause(retry)))) {
          return Optional.empty();
        }
      }
    }
  }

  /** Returns the pause before a retry; the first retry is number 0. */
  static Duration pause(int retry) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << retry);
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
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
