package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a session: {@code ses_…}. */
public record SessionId(@JsonValue String value) {
  public static final String PREFIX = "ses_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public SessionId {
    Ids.require(PREFIX, value);
  }

  public static Optional<SessionId> parse(String text) {
    return Ids.parse(PREFIX, text, SessionId::new);
  }

  public static SessionId next(Ids ids) {
    return new SessionId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
