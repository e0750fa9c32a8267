package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The party that states those fields of an action that no argument binds (contract, section 3). */
public enum ProposerKind {
  /** The operator's own script. The tenant vouches for its fields, so they count as facts. */
  SCRIPT,
  /** A model or an outside agent. Its statements about an action are assertions. */
  AGENT;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ProposerKind> parse(String text) {
    return Arrays.stream(values()).filter(kind -> kind.wire().equals(text)).findFirst();
  }
}
