package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a person: {@code per_…}. */
public record PersonId(@JsonValue String value) {
  public static final String PREFIX = "per_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public PersonId {
    Ids.require(PREFIX, value);
  }

  public static Optional<PersonId> parse(String text) {
    return Ids.parse(PREFIX, text, PersonId::new);
  }

  public static PersonId next(Ids ids) {
    return new PersonId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
