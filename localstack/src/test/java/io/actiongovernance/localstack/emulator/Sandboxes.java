package io.actiongovernance.localstack.emulator;

import io.actiongovernance.localstack.runtime.AotCache;
import io.actiongovernance.localstack.runtime.FunctionProcess;
import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of functions, started when one is needed and none is free, several of a function at
 * once if need be. There are not many in all: what has been idle longest makes room. The first
 * process writes down what it has learnt when its first event is over, and all later ones start
 * with that. Thread-safe.
 */
final class Sandboxes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);
  private static final int MOST = 90;
  private static final int MOST_OF_A_FUNCTION = 3;

  private final Path logs;
  private final AotCache cache;
  private final Map<String, Semaphore> free = new ConcurrentHashMap<>();
  private final Set<Sandbox> all = new HashSet<>();

  /** Those that do nothing, the one that has done so longest first. */
  private final Deque<Sandbox> idle = new ArrayDeque<>();

  private boolean closed;
  private boolean learning;
  private volatile boolean learned;

  private record Sandbox(String function, FunctionProcess process, boolean learns) {}

  /**
   * @param work a folder for what they log and learn
   */
  Sandboxes(Path work) throws IOException {
    this.logs = Files.createDirectories(work.resolve("log"));
    this.cache = new AotCache(work.resolve("functions.aot"));
  }

  /** The function's answer to an event. */
  byte[] invoke(Image image, byte[] event, Duration timeout)
      throws IOException, InterruptedException {
    Semaphore permits =
        free.computeIfAbsent(image.function(), _ -> new Semaphore(MOST_OF_A_FUNCTION, true));
    permits.acquire();
    try {
      Sandbox sandbox = take(image);
      boolean answered = false;
      try {
        sandbox.process().initialised();
        byte[] answer = sandbox.process().invoke(event, timeout);
        answered = true;
        return answer;
      } finally {
        give(sandbox, answered);
      }
    } finally {
      permits.release();
    }
  }

  private Sandbox take(Image image) throws IOException {
    List<Sandbox> over = new ArrayList<>();
    try {
      synchronized (this) {
        if (closed) {
          throw new IOException("Functions are not run any more.");
        }
        Iterator<Sandbox> latestFirst = idle.descendingIterator();
        while (latestFirst.hasNext()) {
          Sandbox one = latestFirst.next();
          if (one.function().equals(image.function())) {
            latestFirst.remove();
            return one;
          }
        }
        while (all.size() >= MOST && !idle.isEmpty()) {
          over.add(idle.removeFirst());
          all.remove(over.getLast());
        }
        Sandbox fresh = start(image);
        all.add(fresh);
        return fresh;
      }
    } finally {
      over.forEach(one -> one.process().close());
    }
  }

  private Sandbox start(Image image) throws IOException {
    boolean learns = !learning;
    learning = true;
    Image started = learns ? cache.learning(image) : learned ? cache.used(image) : image;
    return new Sandbox(
        image.function(),
        FunctionProcess.start(started, logs.resolve(image.function() + ".log")),
        learns);
  }

  private void give(Sandbox sandbox, boolean answered) {
    @Nullable Sandbox over = null;
    synchronized (this) {
      if (closed || !answered || sandbox.learns()) {
        all.remove(sandbox);
        over = sandbox;
      } else {
        idle.addLast(sandbox);
      }
    }
    if (over != null && over.learns() && answered) {
      Thread.ofVirtual().name("functions-learn").start(() -> learn(sandbox.process()));
    } else if (over != null) {
      over.process().close();
    }
  }

  private void learn(FunctionProcess process) {
    try (process) {
      process.end();
      learned = Files.exists(cache.file());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!learned) {
      LOG.warn("Nothing was learnt: functions start more slowly. {}", process.log());
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    all.forEach(one -> one.process().close());
    all.clear();
    idle.clear();
  }
}
