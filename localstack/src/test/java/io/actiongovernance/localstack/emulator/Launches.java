package io.actiongovernance.localstack.emulator;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Versions that are started, as for a snapshot, and what waits until they are. Thread-safe. */
final class Launches {
  private final Sandboxes sandboxes;
  private final Map<String, CompletableFuture<Void>> starting = new ConcurrentHashMap<>();
  private final Queue<CompletableFuture<Void>> all = new ConcurrentLinkedQueue<>();

  Launches(Sandboxes sandboxes) {
    this.sandboxes = sandboxes;
  }

  /** Begins to have a process of the version ready. */
  void begin(Version version) {
    var unused = ready(version);
  }

  private CompletableFuture<Void> ready(Version version) {
    return starting.computeIfAbsent(
        version.name(),
        _ -> {
          CompletableFuture<Void> start =
              CompletableFuture.runAsync(() -> start(version), Thread::startVirtualThread);
          all.add(start);
          return start;
        });
  }

  private void start(Version version) {
    try {
      sandboxes.prepare(version);
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }

  /** Does something as soon as the version is ready, and nothing if it cannot be started. */
  void whenReady(Version version, Runnable then) {
    all.add(ready(version).thenRun(then));
  }

  /** Waits until everything has been done or has failed. Refuses what failed. */
  void await() {
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      throw new Refused(
          "A function could not be started: %s".formatted(String.valueOf(e.getCause())));
    } finally {
      all.clear();
      starting.clear();
    }
  }
}
