package io.actiongovernance.channel;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Transport of a channel (contract for people, section 5). */
public enum ChannelType {
  /** A POST to an incoming webhook. */
  SLACK,
  /** A mail, over SMTP. */
  EMAIL;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ChannelType> parse(String text) {
    return Arrays.stream(values()).filter(type -> type.wire().equals(text)).findFirst();
  }
}
