package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies a tenant: {@code t_…}. */
public record TenantId(@JsonValue String value) {
  public static final String PREFIX = "t_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public TenantId {
    Ids.require(PREFIX, value);
  }

  public static Optional<TenantId> parse(String text) {
    return Ids.parse(PREFIX, text, TenantId::new);
  }

  public static TenantId next(Ids ids) {
    return new TenantId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
