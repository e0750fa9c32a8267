package io.actiongovernance.functions.event;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.Logged;
import io.actiongovernance.event.OutcomeEvent;
import java.util.Locale;

/**
 * The origin of an envelope. The service sets it, so a posted event cannot claim to be an outcome.
 */
enum EventKind {
  EVENT,
  OUTCOME;

  static EventKind of(Logged logged) {
    return switch (logged) {
      case Event _ -> EVENT;
      case OutcomeEvent _ -> OUTCOME;
    };
  }

  @JsonValue
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
