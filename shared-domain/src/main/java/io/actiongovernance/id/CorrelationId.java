package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies all that came of one envelope: {@code co_…}. */
public record CorrelationId(@JsonValue String value) {
  /** What every one of them begins with. */
  public static final String PREFIX = "co_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public CorrelationId {
    Ids.require(PREFIX, value);
  }

  /** The identifier, if the text has its form. */
  public static Optional<CorrelationId> parse(String text) {
    return Ids.parse(PREFIX, text, CorrelationId::new);
  }

  /** A new one. */
  public static CorrelationId next(Ids ids) {
    return new CorrelationId(PREFIX + ids.next());
  }

  /** When it was made, to the millisecond. */
  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
