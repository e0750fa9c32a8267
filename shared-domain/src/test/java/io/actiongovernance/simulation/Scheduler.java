package io.actiongovernance.simulation;

import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs processes one at a time, in an order that a seed decides, and keeps their time. A process is
 * one invocation on a thread of its own; it may lose its turn at every call of a port, and nowhere
 * else. Time goes on a little with every call, and jumps when nobody has anything to do.
 *
 * <p>Only the thread that has the turn touches the simulation's state.
 */
final class Scheduler implements InstantSource {
  private static final long CALL_MILLIS = 3;

  private final SplittableRandom random;
  private final double switching;
  private final List<Invocation> ready = new ArrayList<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
  private final List<Throwable> unexpected = new ArrayList<>();
  private final Invocation outside = new Invocation("outside", Long.MAX_VALUE);
  private Invocation running = outside;
  private long millis;
  private long limit;
  private long numbers;
  private int processes;

  /**
   * @param switching how likely a process loses its turn at a call
   */
  Scheduler(SplittableRandom random, double switching, Instant start) {
    this.random = random;
    this.switching = switching;
    this.millis = start.toEpochMilli();
  }

  private record Timer(long at, long number, Runnable what) {}

  /** One invocation. */
  static final class Invocation {
    final String name;
    private final long killedAt;
    private volatile boolean turn;
    private volatile @Nullable Thread thread;

    /** Whether it has written anything yet: for planted bugs. */
    boolean wrote;

    /** What it has yet to write: for planted bugs. */
    List<Write> owed = List.of();

    /** When it is killed. */
    Instant end() {
      return Instant.ofEpochMilli(killedAt);
    }

    /** Whether it is none of the processes, but the test around them. */
    boolean outside() {
      return killedAt == Long.MAX_VALUE;
    }

    Invocation(String name, long killedAt) {
      this.name = name;
      this.killedAt = killedAt;
    }
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis);
  }

  @Override
  public long millis() {
    return millis;
  }

  Invocation running() {
    return running;
  }

  /** What was thrown that no fault explains. */
  List<Throwable> unexpected() {
    return unexpected;
  }

  int processes() {
    return processes;
  }

  /** Has something happen later; it must not call a port itself. */
  void at(long when, Runnable what) {
    timers.add(new Timer(Math.max(when, millis), numbers++, what));
  }

  void after(Duration delay, Runnable what) {
    at(millis + delay.toMillis(), what);
  }

  /** Starts a process now, which is killed when its time is over. */
  void start(String name, Duration timeout, Runnable body, Runnable atEnd) {
    Invocation process = new Invocation(name, millis + timeout.toMillis());
    processes++;
    Thread thread =
        Thread.ofVirtual()
            .unstarted(
                () -> {
                  awaitTurn(process);
                  try {
                    kill(process);
                    body.run();
                  } catch (Crash e) {
                    // That process is gone; what it held in its hands is lost.
                  } catch (Throwable e) {
                    if (!Faults.injected(e)) {
                      unexpected.add(new AssertionError("In " + name, e));
                    }
                  }
                  processes--;
                  atEnd.run();
                  hand(next());
                });
    process.thread = thread;
    thread.start();
    ready.add(process);
  }

  /** A call of a port begins: time passes, and another may have its turn first. */
  void pause() {
    Invocation self = running;
    if (self == outside) {
      return;
    }
    millis += 1 + random.nextLong(CALL_MILLIS);
    fire();
    if (!ready.isEmpty() && random.nextDouble() < switching) {
      ready.add(self);
      give(self, take());
    }
    kill(self);
  }

  /** Lets the running process wait; it is killed when its time is over, as Lambda does it. */
  void sleep(Duration time) {
    Invocation self = running;
    if (self == outside) {
      millis += time.toMillis();
      return;
    }
    at(Math.min(millis + time.toMillis(), self.killedAt), () -> ready.add(self));
    give(self, next());
    kill(self);
  }

  /** Runs until nothing is left to do, or until the instant. */
  void runUntil(Instant end) {
    limit = end.toEpochMilli();
    outside.thread = Thread.currentThread();
    give(outside, next());
  }

  private void kill(Invocation process) {
    if (millis >= process.killedAt) {
      throw new Crash("timed out");
    }
  }

  private Invocation take() {
    return ready.remove(random.nextInt(ready.size()));
  }

  private Invocation next() {
    while (ready.isEmpty()) {
      Timer timer = timers.peek();
      if (timer == null || timer.at() > limit) {
        return outside;
      }
      millis = Math.max(millis, timer.at());
      fire();
    }
    return take();
  }

  private void fire() {
    while (!timers.isEmpty() && timers.element().at() <= millis) {
      timers.remove().what().run();
    }
  }

  private void give(Invocation self, Invocation to) {
    if (to != self) {
      hand(to);
      awaitTurn(self);
    }
  }

  private void hand(Invocation to) {
    running = to;
    to.turn = true;
    LockSupport.unpark(to.thread);
  }

  private static void awaitTurn(Invocation self) {
    while (!self.turn) {
      LockSupport.park(self);
    }
    self.turn = false;
  }
}
