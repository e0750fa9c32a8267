package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies an export job: {@code exp_…}. */
public record ExportId(@JsonValue String value) {
  public static final String PREFIX = "exp_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public ExportId {
    Ids.require(PREFIX, value);
  }

  public static Optional<ExportId> parse(String text) {
    return Ids.parse(PREFIX, text, ExportId::new);
  }

  public static ExportId next(Ids ids) {
    return new ExportId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
