package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Scope of a limit's count: one sum per entity key, per tool, per connector, per operator, or one
 * for the tenant.
 */
public enum Per {
  ENTITY,
  TOOL,
  CONNECTOR,
  OPERATOR,
  /** Shared by the guardrails of the same name of all operators. */
  TENANT;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Per> parse(String text) {
    return Arrays.stream(values()).filter(per -> per.wire().equals(text)).findFirst();
  }
}
