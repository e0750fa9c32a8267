package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies everything that results from one envelope: {@code co_…}. */
public record CorrelationId(@JsonValue String value) {
  public static final String PREFIX = "co_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public CorrelationId {
    Ids.require(PREFIX, value);
  }

  public static Optional<CorrelationId> parse(String text) {
    return Ids.parse(PREFIX, text, CorrelationId::new);
  }

  public static CorrelationId next(Ids ids) {
    return new CorrelationId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
