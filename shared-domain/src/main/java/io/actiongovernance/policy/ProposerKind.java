package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The party that vouches for an action's fields that no argument binds (contract, section 3). */
public enum ProposerKind {
  /** The operator's own script: the tenant vouches for its fields, so they count. */
  SCRIPT,
  /** A model or an outside agent: what it states of an action is an assertion. */
  AGENT;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ProposerKind> parse(String text) {
    return Arrays.stream(values()).filter(kind -> kind.wire().equals(text)).findFirst();
  }
}
