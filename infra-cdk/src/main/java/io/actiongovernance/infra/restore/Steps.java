package io.actiongovernance.infra.restore;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Takes the steps of a restore. It prints each step, and takes it only if {@code apply} is true.
 *
 * @param says takes a line for each step
 * @param apply whether steps are taken; if false, they are only printed
 */
public record Steps(Consumer<Duration> sleeper, Consumer<String> says, boolean apply) {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /**
   * The pauses before a wait is given up. There are many, because DynamoDB takes hours for large
   * tables.
   */
  private static final int MOST_PAUSES = 6 * 60 * 24;

  void say(String line) {
    says.accept(line);
  }

  /**
   * Takes a step.
   *
   * @param done whether an earlier run has taken it
   */
  void step(String what, boolean done, Runnable doing) {
    if (done) {
      say("Already done: " + what + ".");
    } else if (apply) {
      say("Now: " + what + " …");
      doing.run();
    } else {
      say("Would " + what + ".");
    }
  }

  /**
   * Waits until something is done.
   *
   * @param what the sentence, without its full stop, that is shown when the wait is given up
   */
  void await(String what, BooleanSupplier done) {
    for (int pauses = 0; !done.getAsBoolean(); pauses++) {
      if (pauses == MOST_PAUSES) {
        throw new IllegalStateException(what + ". Run this again later.");
      }
      sleeper.accept(PAUSE);
    }
  }
}
