package io.actiongovernance.access;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;

/** The data partition that a key reaches. The data of one partition is not visible in the other. */
public enum Mode {
  LIVE("live"),
  TEST("test");

  private final String wire;

  Mode(String wire) {
    this.wire = wire;
  }

  @JsonValue
  public String wire() {
    return wire;
  }

  public static Optional<Mode> parse(String text) {
    return Arrays.stream(values()).filter(mode -> mode.wire.equals(text)).findFirst();
  }
}
