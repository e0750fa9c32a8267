package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a halt of the kill switch: {@code hlt_…}. */
public record HaltId(@JsonValue String value) {
  public static final String PREFIX = "hlt_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public HaltId {
    Ids.require(PREFIX, value);
  }

  public static Optional<HaltId> parse(String text) {
    return Ids.parse(PREFIX, text, HaltId::new);
  }

  public static HaltId next(Ids ids) {
    return new HaltId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
