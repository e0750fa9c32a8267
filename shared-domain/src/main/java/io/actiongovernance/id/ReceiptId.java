package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a receipt: {@code rc_…}. */
public record ReceiptId(@JsonValue String value) {
  /** What every one of them begins with. */
  public static final String PREFIX = "rc_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public ReceiptId {
    Ids.require(PREFIX, value);
  }

  /** The identifier, if the text has its form. */
  public static Optional<ReceiptId> parse(String text) {
    return Ids.parse(PREFIX, text, ReceiptId::new);
  }

  /** A new one. */
  public static ReceiptId next(Ids ids) {
    return new ReceiptId(PREFIX + ids.next());
  }

  /** When it was made, to the millisecond. */
  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
