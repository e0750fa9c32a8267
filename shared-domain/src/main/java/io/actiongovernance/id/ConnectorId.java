package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a connector instance: {@code cn_…}. */
public record ConnectorId(@JsonValue String value) {
  public static final String PREFIX = "cn_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public ConnectorId {
    Ids.require(PREFIX, value);
  }

  public static Optional<ConnectorId> parse(String text) {
    return Ids.parse(PREFIX, text, ConnectorId::new);
  }

  public static ConnectorId next(Ids ids) {
    return new ConnectorId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
