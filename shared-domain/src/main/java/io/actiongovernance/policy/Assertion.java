package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * A field that rests on its proposer's word alone: no argument binds it, and the tenant does not
 * state it (contract, section 3). An assertion satisfies no policy. It is published and stored as
 * {@code claimed}.
 */
public enum Assertion {
  VALUE,
  CURRENCY,
  ENTITY_KEY;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  @JsonCreator
  static Assertion of(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT));
  }
}
