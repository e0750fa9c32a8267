package io.actiongovernance.event;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Scope;
import java.util.Locale;

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

  /** Returns the scope that is required to see these outcomes. */
  public Scope scope() {
    return scope;
  }
}
