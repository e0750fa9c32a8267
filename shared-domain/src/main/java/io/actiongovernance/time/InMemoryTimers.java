package io.actiongovernance.time;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** Timers in memory, which fire when a caller passes the time to them. Thread-safe. */
public final class InMemoryTimers implements Timers {
  private final Map<String, Timer> running = new ConcurrentHashMap<>();
  private final Set<String> started = ConcurrentHashMap.newKeySet();

  @Override
  public void start(Timer timer) {
    if (started.add(key(timer.kind(), timer.name()))) {
      running.put(key(timer.kind(), timer.name()), timer);
    }
  }

  @Override
  public void stop(TimerKind kind, String name) {
    running.remove(key(kind, name));
  }

  /** Returns the timers that have not fired yet, the next one first. */
  public List<Timer> running() {
    return running.values().stream().sorted(Comparator.comparing(Timer::due)).toList();
  }

  /**
   * Fires each timer that is due at this time, once.
   *
   * @param function returns the time until which to wait again; empty if the timer is done
   */
  public void fire(Instant now, Function<Timer, Optional<Instant>> function) {
    for (Timer timer : running()) {
      if (!timer.due().isAfter(now)) {
        String key = key(timer.kind(), timer.name());
        function
            .apply(timer)
            .ifPresentOrElse(
                next ->
                    running.replace(
                        key, timer, new Timer(timer.kind(), timer.name(), next, timer.ids())),
                () -> running.remove(key, timer));
      }
    }
  }

  private static String key(TimerKind kind, String name) {
    return kind.wire() + "/" + name;
  }
}
