package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a webhook delivery: {@code dlv_…}. */
public record DeliveryId(@JsonValue String value) {
  public static final String PREFIX = "dlv_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public DeliveryId {
    Ids.require(PREFIX, value);
  }

  public static Optional<DeliveryId> parse(String text) {
    return Ids.parse(PREFIX, text, DeliveryId::new);
  }

  public static DeliveryId next(Ids ids) {
    return new DeliveryId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
