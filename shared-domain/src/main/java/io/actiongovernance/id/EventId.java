package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies an event: {@code ev_…}. */
public record EventId(@JsonValue String value) {
  public static final String PREFIX = "ev_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public EventId {
    Ids.require(PREFIX, value);
  }

  public static Optional<EventId> parse(String text) {
    return Ids.parse(PREFIX, text, EventId::new);
  }

  public static EventId next(Ids ids) {
    return new EventId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
