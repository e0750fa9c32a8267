package io.actiongovernance.functions.trigger;

import io.actiongovernance.time.TimerKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The definitions of the state machines, in the Amazon States Language. Deployment and the local
 * stack both run these exact texts.
 */
public final class StateMachines {
  /** Placeholder in a definition for the ARN of the kind's function. */
  public static final String FUNCTION = "Function";

  private StateMachines() {}

  /** The definition of the kind's state machine, with {@code ${Function}} still unresolved. */
  public static String definition(TimerKind kind) {
    String file = "/asl/" + kind.wire() + ".asl.json";
    try (InputStream definition = StateMachines.class.getResourceAsStream(file)) {
      if (definition == null) {
        throw new IllegalStateException("There is no definition " + file);
      }
      return new String(definition.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
