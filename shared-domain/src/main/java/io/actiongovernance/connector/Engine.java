package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Engine that makes a listing's calls. */
public enum Engine {
  /** Requests that are built from the manifest. */
  HTTP,
  /** The Model Context Protocol. */
  MCP,
  SANDBOX;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Engine> parse(String text) {
    return Arrays.stream(values()).filter(engine -> engine.wire().equals(text)).findFirst();
  }
}
