package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/** Identifies a channel: {@code chn_…}. */
public record ChannelId(@JsonValue String value) implements DestinationId {
  public static final String PREFIX = "chn_";

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public ChannelId {
    Ids.require(PREFIX, value);
  }

  public static Optional<ChannelId> parse(String text) {
    return Ids.parse(PREFIX, text, ChannelId::new);
  }

  public static ChannelId next(Ids ids) {
    return new ChannelId(PREFIX + ids.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
