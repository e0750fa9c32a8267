package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a plan: {@code pl_…}. */
public record PlanId(@JsonValue String value) {
  /** What every one of them begins with. */
  public static final String PREFIX = "pl_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PlanId {
    Ids.require(PREFIX, value);
  }

  /** The identifier, if the text has its form. */
  public static Optional<PlanId> parse(String text) {
    return Ids.parse(PREFIX, text, PlanId::new);
  }

  /** A new one. */
  public static PlanId next(Ids ids) {
    return new PlanId(PREFIX + ids.next());
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
