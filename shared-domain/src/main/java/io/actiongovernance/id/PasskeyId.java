package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a passkey: {@code psk_…}. */
public record PasskeyId(@JsonValue String value) {
  public static final String PREFIX = "psk_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PasskeyId {
    Ids.require(PREFIX, value);
  }

  public static Optional<PasskeyId> parse(String text) {
    return Ids.parse(PREFIX, text, PasskeyId::new);
  }

  public static PasskeyId next(Ids ids) {
    return new PasskeyId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
