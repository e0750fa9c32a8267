package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies an approval: {@code apr_…}. */
public record ApprovalId(@JsonValue String value) {
  public static final String PREFIX = "apr_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public ApprovalId {
    Ids.require(PREFIX, value);
  }

  public static Optional<ApprovalId> parse(String text) {
    return Ids.parse(PREFIX, text, ApprovalId::new);
  }

  public static ApprovalId next(Ids ids) {
    return new ApprovalId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
