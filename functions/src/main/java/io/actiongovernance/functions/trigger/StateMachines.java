package io.actiongovernance.functions.trigger;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The definition of the state machine that timers are executions of, in the Amazon States Language.
 * Each kind of timer has a machine of its own, with its own function.
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
