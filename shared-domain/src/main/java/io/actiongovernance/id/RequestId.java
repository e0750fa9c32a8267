package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a request: {@code req_…}. */
public record RequestId(@JsonValue String value) {
  public static final String PREFIX = "req_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public RequestId {
    Ids.require(PREFIX, value);
  }

  public static Optional<RequestId> parse(String text) {
    return Ids.parse(PREFIX, text, RequestId::new);
  }

  public static RequestId next(Ids ids) {
    return new RequestId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
