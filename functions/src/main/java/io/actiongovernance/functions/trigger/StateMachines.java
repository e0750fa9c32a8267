package io.actiongovernance.functions.trigger;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The definition of the timers' state machines, in the Amazon States Language. A timer is an
 * execution of one. Each kind of timer has its own machine, with its own function.
 */
public final class StateMachines {
  /** The placeholder for the ARN of a kind's function. */
  public static final String FUNCTION = "Function";

  private static final String FILE = "/asl/timer.asl.json";

  private StateMachines() {}

  /** The definition, with the placeholder {@code ${Function}}. */
  public static String definition() {
    try (InputStream definition = StateMachines.class.getResourceAsStream(FILE)) {
      if (definition == null) {
        throw new IllegalStateException("There is no definition " + FILE);
      }
      return new String(definition.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
