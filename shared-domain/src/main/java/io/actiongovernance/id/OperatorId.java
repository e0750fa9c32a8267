package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies an operator: {@code op_…}. */
public record OperatorId(@JsonValue String value) {
  public static final String PREFIX = "op_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public OperatorId {
    Ids.require(PREFIX, value);
  }

  public static Optional<OperatorId> parse(String text) {
    return Ids.parse(PREFIX, text, OperatorId::new);
  }

  public static OperatorId next(Ids ids) {
    return new OperatorId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
