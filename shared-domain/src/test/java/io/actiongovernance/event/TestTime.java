package io.actiongovernance.event;

import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that goes on only when told to, or when somebody sleeps by it. Thread-safe. */
public final class TestTime implements InstantSource, Sleeper {
  private final AtomicLong millis = new AtomicLong(1_790_000_000_000L);

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis.get());
  }

  @Override
  public void sleep(Duration duration) {
    millis.addAndGet(duration.toMillis());
  }

  /** Lets time pass; back, if negative. */
  public void pass(Duration duration) {
    millis.addAndGet(duration.toMillis());
  }
}
