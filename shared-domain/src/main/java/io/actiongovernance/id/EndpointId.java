package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a webhook endpoint: {@code whk_…}. */
public record EndpointId(@JsonValue String value) implements DestinationId {
  public static final String PREFIX = "whk_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public EndpointId {
    Ids.require(PREFIX, value);
  }

  public static Optional<EndpointId> parse(String text) {
    return Ids.parse(PREFIX, text, EndpointId::new);
  }

  public static EndpointId next(Ids ids) {
    return new EndpointId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
