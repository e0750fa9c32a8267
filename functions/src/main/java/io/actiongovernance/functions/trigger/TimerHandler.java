package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.time.Timer;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Handles a due timer, as the task of its state machine. It is called at least once, so its work
 * must be idempotent. After an exception it is called again later. Stateless and thread-safe, as
 * its subclasses are.
 */
public abstract class TimerHandler
    implements RequestHandler<Map<String, Object>, Map<String, Object>> {
  /**
   * Does the work that is due.
   *
   * @param timer the values that the timer was started with, by name
   * @return the time until which to wait again; empty if the work is complete
   */
  protected abstract Optional<Instant> handle(Map<String, Object> timer);

  @Override
  public Map<String, Object> handleRequest(Map<String, Object> input, @Nullable Context context) {
    try (LogIds _ = LogIds.of(context).with(input)) {
      return handle(input)
          .map(until -> Map.<String, Object>of(Timer.WAIT_UNTIL, Timestamps.format(until)))
          .orElse(Map.of("done", true));
    }
  }

  protected static String id(Map<String, Object> timer, String name) {
    if (timer.get(name) instanceof String id) {
      return id;
    }
    throw new IllegalArgumentException("The timer has no " + name + ".");
  }
}
