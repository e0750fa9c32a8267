package io.actiongovernance.localstack.emulator;

import io.actiongovernance.localstack.runtime.AotCache;
import io.actiongovernance.localstack.runtime.DeployedZip;
import io.actiongovernance.localstack.runtime.FunctionFailed;
import io.actiongovernance.localstack.runtime.FunctionProcess;
import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of functions' versions: one of each from when it is prepared, more of those that
 * keep others waiting. There are not many in all: what has been idle longest makes room. The first
 * one of each zip writes down what it has learnt, and all others of that zip start with it.
 * Thread-safe.
 */
final class Sandboxes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);
  private static final int MOST = 100;
  private static final int MOST_OF_A_FUNCTION = 12;

  /**
   * Each would otherwise fill a young generation as large as a machine of many gigabytes has it,
   * with what its priming leaves: half of all the memory that they take.
   */
  private static final String LITTLE_ROOM = "-Xmn32m";

  /** Many at once would take so long that all are given up. */
  private static final int STARTS_AT_ONCE = 2;

  /** How long to wait for one that is busy, rather than start another. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Path logs;
  private final Path work;
  private final Map<DeployedZip, Learnt> learnt = new HashMap<>();

  /** Who has an event does not wait for all that is published. */
  private final Semaphore startsForEvents = new Semaphore(STARTS_AT_ONCE, true);

  private final Semaphore startsBefore = new Semaphore(STARTS_AT_ONCE, true);

  /** How many there are of each version, those that start included. */
  private final Map<String, Integer> counts = new HashMap<>();

  private final Set<Sandbox> all = new HashSet<>();

  /** Those that do nothing, the one that has done so longest first. */
  private final Deque<Sandbox> idle = new ArrayDeque<>();

  private boolean closed;

  /** Versions that nobody is to invoke any more: their processes end when they are idle. */
  private final Set<String> retired = new HashSet<>();

  private record Sandbox(String version, FunctionProcess process) {}

  /**
   * What the first process of a zip has learnt. One of another zip that started with it would have
   * the classes of this one: the machine does not tell them apart.
   */
  private static final class Learnt {
    final AotCache cache;
    final AtomicBoolean begun = new AtomicBoolean();
    volatile boolean done;

    Learnt(AotCache cache) {
      this.cache = cache;
    }

    Image image(Image image) {
      return done ? cache.used(image) : image;
    }
  }

  /**
   * @param work a folder for what they log and learn
   */
  Sandboxes(Path work) throws IOException {
    this.logs = Files.createDirectories(work.resolve("log"));
    this.work = work;
  }

  /** Has a process of the version ready before there is an event. */
  void prepare(Version version) throws IOException, InterruptedException {
    synchronized (this) {
      retired.remove(version.name());
    }
    give(take(version, startsBefore), true);
  }

  /** Has the version's processes end what they are at, and then themselves. */
  synchronized void retire(String version) {
    retired.add(version);
    idle.stream().filter(one -> one.version().equals(version)).toList().forEach(this::end);
  }

  /** The versions that have a process. */
  synchronized Set<String> versions() {
    return all.stream().map(Sandbox::version).collect(Collectors.toSet());
  }

  /** The memory that they have in use, in MB. */
  synchronized double residentMegabytes() throws IOException {
    double megabytes = 0;
    for (Sandbox one : all) {
      megabytes += one.process().residentMegabytes();
    }
    return megabytes;
  }

  /** The version's answer to an event. */
  byte[] invoke(Version version, byte[] event) throws IOException, InterruptedException {
    Sandbox sandbox = take(version, startsForEvents);
    boolean answered = false;
    try {
      byte[] answer = sandbox.process().invoke(event, version.timeout());
      answered = true;
      return answer;
    } finally {
      give(sandbox, answered);
    }
  }

  private Sandbox take(Version version, Semaphore starts) throws IOException, InterruptedException {
    @Nullable Sandbox known = await(version.name());
    if (known != null) {
      return known;
    }
    try {
      starts.acquire();
      try {
        Learnt ofZip = learnt(version.image().zip());
        if (!ofZip.begun.getAndSet(true)) {
          learn(ofZip, version.image());
        }
        return start(version.name(), ofZip.image(version.image()));
      } finally {
        starts.release();
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      count(version.name(), -1);
      throw e;
    }
  }

  /** One that has nothing to do, or null: then another may be started. */
  private synchronized @Nullable Sandbox await(String version) throws InterruptedException {
    long patient = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      @Nullable Sandbox known = takeIdle(version);
      if (known != null) {
        return known;
      }
      int there = counts.getOrDefault(version, 0);
      boolean longEnough = System.nanoTime() - patient >= 0;
      if (there == 0 || there < MOST_OF_A_FUNCTION && longEnough) {
        count(version, 1);
        return null;
      }
      wait(PATIENCE.toMillis());
    }
  }

  /** The one that was the last to do something. */
  private @Nullable Sandbox takeIdle(String version) {
    Iterator<Sandbox> latestFirst = idle.descendingIterator();
    while (latestFirst.hasNext()) {
      Sandbox one = latestFirst.next();
      if (one.version().equals(version)) {
        latestFirst.remove();
        return one;
      }
    }
    return null;
  }

  private synchronized void count(String version, int more) {
    counts.merge(version, more, Integer::sum);
    notifyAll();
  }

  private Sandbox start(String version, Image image) throws IOException, InterruptedException {
    Sandbox fresh;
    synchronized (this) {
      if (closed) {
        throw new IOException("Functions are not run any more.");
      }
      while (all.size() >= MOST && !idle.isEmpty()) {
        end(idle.getFirst());
      }
      fresh = new Sandbox(version, process(image));
      all.add(fresh);
    }
    try {
      fresh.process().initialised();
      return fresh;
    } catch (FunctionFailed | InterruptedException e) {
      fresh.process().close();
      synchronized (this) {
        all.remove(fresh);
      }
      throw e;
    }
  }

  private FunctionProcess process(Image image) throws IOException {
    return FunctionProcess.start(
        image.withOption(LITTLE_ROOM), logs.resolve(image.function() + ".log"));
  }

  private synchronized Learnt learnt(DeployedZip zip) {
    return learnt.computeIfAbsent(
        zip, _ -> new Learnt(new AotCache(work.resolve("functions-" + learnt.size() + ".aot"))));
  }

  private void learn(Learnt ofZip, Image image) throws IOException, InterruptedException {
    try (FunctionProcess first = process(ofZip.cache.learning(image))) {
      first.initialised();
      first.end();
      ofZip.done = Files.exists(ofZip.cache.file());
      if (!ofZip.done) {
        LOG.warn("Nothing was learnt: functions start more slowly. {}", first.log());
      }
    }
  }

  private synchronized void give(Sandbox sandbox, boolean answered) {
    if (closed || !answered || retired.contains(sandbox.version())) {
      end(sandbox);
    } else {
      idle.addLast(sandbox);
      notifyAll();
    }
  }

  private void end(Sandbox sandbox) {
    all.remove(sandbox);
    idle.remove(sandbox);
    sandbox.process().close();
    count(sandbox.version(), -1);
  }

  @Override
  public synchronized void close() {
    closed = true;
    all.forEach(one -> one.process().close());
    all.clear();
    idle.clear();
  }
}
