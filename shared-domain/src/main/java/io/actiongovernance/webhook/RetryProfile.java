package io.actiongovernance.webhook;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Times of attempts (contract, section 8, Retries).
 *
 * @param steps waits before each attempt of a round. With 0 and 30 s, one attempt is made at once,
 *     another 24 to 36 s after it failed, and no more
 */
public record RetryProfile(List<Duration> steps) {
  private static final double JITTER = 0.2;

  public RetryProfile {
    steps = List.copyOf(steps);
    if (steps.isEmpty() || steps.stream().anyMatch(Duration::isNegative)) {
      throw new IllegalArgumentException("Waits are not negative, and there is at least one.");
    }
  }

  Duration first() {
    return steps.getFirst();
  }

  /**
   * Returns the wait after this many attempts of the round have failed; empty if no attempt is
   * left.
   *
   * @param asked the wait that the endpoint asked for, honoured up to twice the step; or null
   */
  Optional<Duration> after(int made, @Nullable Duration asked, RandomGenerator random) {
    if (made >= steps.size()) {
      return Optional.empty();
    }
    Duration step = steps.get(made);
    double factor = 1 - JITTER + 2 * JITTER * random.nextDouble();
    Duration wait = Duration.ofMillis(Math.round(step.toMillis() * factor));
    if (asked == null || asked.compareTo(wait) <= 0) {
      return Optional.of(wait);
    }
    Duration most = step.multipliedBy(2);
    return Optional.of(asked.compareTo(most) < 0 ? asked : most);
  }
}
