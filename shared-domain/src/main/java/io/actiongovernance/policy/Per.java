package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Scope of a limit's count: one sum for each entity key, tool, connector or operator, or one for
 * the tenant.
 */
public enum Per {
  ENTITY,
  TOOL,
  CONNECTOR,
  OPERATOR,
  /** One count, shared by the guardrails of the same name of all operators. */
  TENANT;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Per> parse(String text) {
    return Arrays.stream(values()).filter(per -> per.wire().equals(text)).findFirst();
  }
}
