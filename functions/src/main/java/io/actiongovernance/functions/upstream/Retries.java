package io.actiongovernance.functions.upstream;

import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ConnectorHealth;
import io.actiongovernance.connector.Pacer;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.functions.upstream.Attempt.Effect;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the requests of a tool call, paced for each connector and repeated within a budget. It
 * never claims more than the source system stated (contract, sections 2 and 5). Thread-safe.
 */
final class Retries {
  private static final Logger LOG = LoggerFactory.getLogger(Retries.class);

  /**
   * Time for all requests of a call and the pauses between them, excluding waits for the
   * connector's pace.
   */
  static final Duration RETRY_BUDGET = Duration.ofSeconds(20);

  /**
   * The longest time that a call waits for its connector's pace. If the wait would be longer, the
   * call is retried later.
   */
  static final Duration LONGEST_PACING = Duration.ofSeconds(3);

  /**
   * The longest request of a tool that may be repeated. It leaves time for another request if a
   * reply is lost.
   */
  private static final Duration LONGEST_RETRYABLE = Duration.ofSeconds(8);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final int DOUBLINGS = 5;

  private final Pacer pacer;
  private final ConnectorHealth health;
  private final InstantSource clock;
  private final Sleeper sleeper;
  private final RandomGenerator random;

  Retries(
      Pacer pacer,
      ConnectorHealth health,
      InstantSource clock,
      Sleeper sleeper,
      RandomGenerator random) {
    this.pacer = pacer;
    this.health = health;
    this.clock = clock;
    this.sleeper = sleeper;
    this.random = random;
  }

  /**
   * Makes the call.
   *
   * @param attempt tries once, within the time it is given
   */
  CallResult run(ToolCall call, Function<Duration, Attempt> attempt) {
    return new Run(call, attempt).result();
  }

  /** A call, from its first request to its last. Not thread-safe. */
  private final class Run {
    private final ToolCall call;
    private final Function<Duration, Attempt> tries;
    private Duration budget = RETRY_BUDGET;
    private Duration pacing = LONGEST_PACING;

    /** The least certain effect of all requests so far. */
    private Effect effect = Effect.NONE;

    /** The error of the last request that may have taken effect. */
    private String doubt = "";

    Run(ToolCall call, Function<Duration, Attempt> tries) {
      this.call = call;
      this.tries = tries;
    }

    CallResult result() {
      Instant notBefore = waitForPace();
      if (notBefore != null) {
        return new CallResult.Paced(notBefore);
      }
      if (!left().isPositive() || !call.permit().stands()) {
        // Neither is caused by the source system.
        return withheld(Duration.ZERO);
      }
      for (int retries = 0; ; retries++) {
        Instant began = clock.instant();
        Attempt attempt = tries.apply(longest());
        spend(began);
        if (!(attempt instanceof Attempt.Failed failed)) {
          return settled(attempt);
        }
        remember(failed);
        if (!failed.again() || !pause(retries, failed.after()) || waitForPace() != null) {
          return gaveUp(failed.error());
        }
        if (!call.permit().stands()) {
          return withheld(Duration.ZERO);
        }
      }
    }

    private void remember(Attempt.Failed failed) {
      effect = effect.and(failed.effect());
      if (failed.effect() != Effect.NONE) {
        doubt = failed.error();
      }
    }

    private CallResult settled(Attempt attempt) {
      return switch (attempt) {
        case Attempt.Applied(CallResult.Applied result) -> {
          noted(() -> health.answered(call.connector()));
          yield result;
        }
        case Attempt.Refused(String error, boolean credentialsRejected) -> {
          if (credentialsRejected) {
            noted(() -> health.rejected(call.connector(), error));
          } else {
            noted(() -> health.answered(call.connector()));
          }
          yield or(new CallResult.Failed(error));
        }
        case Attempt.Failed failed -> gaveUp(failed.error());
        case Attempt.Changed(String reason) -> {
          noted(() -> health.answered(call.connector()));
          yield or(new CallResult.Refused(reason));
        }
        case Attempt.Barred(String reason) -> or(new CallResult.Refused(reason));
        case Attempt.Unmade(String why) -> or(new CallResult.Failed(why));
        case Attempt.Withheld(Duration pause) -> withheld(pause);
      };
    }

    /**
     * Puts the call off, to be made again after the pause, unless one of its requests may have
     * taken effect.
     */
    private CallResult withheld(Duration pause) {
      return or(new CallResult.Paced(clock.instant().plus(pause)));
    }

    /**
     * Returns the given outcome if none of the call's requests may have taken effect. Otherwise the
     * call's outcome is unknown, whatever was answered later; only a success says more.
     */
    private CallResult or(CallResult certain) {
      return effect == Effect.NONE
          ? certain
          : new CallResult.Unknown(doubt, effect == Effect.UNCERTAIN);
    }

    /** Notes the connector's health. A failure to do so must not lose the call's outcome. */
    private void noted(Runnable note) {
      try {
        note.run();
      } catch (StoreUnavailable e) {
        LOG.warn("The health of {} was not noted", call.connector().id(), e);
      }
    }

    private CallResult gaveUp(String error) {
      noted(() -> health.failed(call.connector(), error));
      return or(new CallResult.Failed(error));
    }

    /**
     * Waits for a place in the connector's pace. If this would take too long, returns the earliest
     * time of a place; otherwise null.
     */
    private @Nullable Instant waitForPace() {
      Optional<Instant> notBefore = place();
      while (notBefore.isPresent()) {
        Duration wait = Duration.between(clock.instant(), notBefore.get());
        if (wait.compareTo(pacing) > 0 || !notBefore.get().isBefore(call.deadline())) {
          return notBefore.get();
        }
        if (wait.isPositive()) {
          sleeper.sleep(wait);
          pacing = pacing.minus(wait);
        }
        notBefore = place();
      }
      return null;
    }

    private Optional<Instant> place() {
      try {
        return pacer.take(call.connector());
      } catch (StoreUnavailable e) {
        // Nothing is being called. If the exception were rethrown, this would not be known.
        LOG.warn("The pace of {} could not be read", call.connector().id(), e);
        return Optional.of(clock.instant().plus(LONGEST_PACING));
      }
    }

    /**
     * Pauses before another request, for as long as the source system asks. If it asks for no
     * pause, the pause doubles with each retry and has jitter. Returns false if no time is left.
     */
    private boolean pause(int retries, @Nullable Duration asked) {
      long ceiling = FIRST_PAUSE.toMillis() << Math.min(retries, DOUBLINGS);
      Duration pause =
          asked == null ? Duration.ofMillis(ceiling / 2 + random.nextLong(ceiling / 2 + 1)) : asked;
      if (pause.compareTo(left()) >= 0) {
        return false;
      }
      Instant began = clock.instant();
      sleeper.sleep(pause);
      spend(began);
      return left().isPositive();
    }

    private void spend(Instant began) {
      budget = budget.minus(Duration.between(began, clock.instant()));
    }

    private Duration left() {
      Duration untilDeadline = Duration.between(clock.instant(), call.deadline());
      return untilDeadline.compareTo(budget) < 0 ? untilDeadline : budget;
    }

    private Duration longest() {
      Duration left = left();
      return call.tool().retrySafe() && left.compareTo(LONGEST_RETRYABLE) > 0
          ? LONGEST_RETRYABLE
          : left;
    }
  }
}
