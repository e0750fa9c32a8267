package io.actiongovernance.event;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Scope;
import java.util.Locale;

/** The outcomes that lists and streams of events may include (contract for agents, section 3). */
public enum Included {
  PLANS(Scope.PLANS_READ),
  ACTIONS(Scope.ACTIONS_READ);

  private final Scope scope;

  Included(Scope scope) {
    this.scope = scope;
  }

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it takes to see them. */
  public Scope scope() {
    return scope;
  }
}
