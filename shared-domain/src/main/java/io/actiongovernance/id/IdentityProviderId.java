package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;

/** Identifies an identity provider: {@code idp_…}. */
public record IdentityProviderId(@JsonValue String value) {
  public static final String PREFIX = "idp_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public IdentityProviderId {
    Ids.require(PREFIX, value);
  }

  public static Optional<IdentityProviderId> parse(String text) {
    return Ids.parse(PREFIX, text, IdentityProviderId::new);
  }

  public static IdentityProviderId next(Ids ids) {
    return new IdentityProviderId(PREFIX + ids.next());
  }

  public Instant madeAt() {
    return Ids.timeOf(value.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return value;
  }
}
