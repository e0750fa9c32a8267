package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies an action: {@code act_…}. */
public record ActionId(@JsonValue String value) {
  public static final String PREFIX = "act_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public ActionId {
    Ids.require(PREFIX, value);
  }

  public static Optional<ActionId> parse(String text) {
    return Ids.parse(PREFIX, text, ActionId::new);
  }

  public static ActionId next(Ids ids) {
    return new ActionId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
