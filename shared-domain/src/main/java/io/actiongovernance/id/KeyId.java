package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies an API key: {@code key_…}. */
public record KeyId(@JsonValue String value) {
  public static final String PREFIX = "key_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public KeyId {
    Ids.require(PREFIX, value);
  }

  public static Optional<KeyId> parse(String text) {
    return Ids.parse(PREFIX, text, KeyId::new);
  }

  public static KeyId next(Ids ids) {
    return new KeyId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
