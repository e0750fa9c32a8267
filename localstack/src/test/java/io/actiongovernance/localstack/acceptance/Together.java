package io.actiongovernance.localstack.acceptance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Does things at the same time. */
final class Together {
  private Together() {}

  /** Does the same so many times at once, and yields what came of each. */
  static <T> List<T> all(int times, IntFunction<T> what) {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (int number = 0; number < times; number++) {
        int mine = number;
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return what.apply(mine);
                }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> one : running) {
        results.add(get(one));
      }
      return results;
    }
  }

  /** What comes of something that runs while something else happens. */
  record Running<T>(Future<T> future) {
    T result() {
      return get(future);
    }
  }

  /** Starts something in the background. */
  static <T> Running<T> start(Supplier<T> what) {
    ExecutorService thread = Executors.newVirtualThreadPerTaskExecutor();
    Future<T> running = thread.submit(what::get);
    thread.shutdown();
    return new Running<>(running);
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }
}
