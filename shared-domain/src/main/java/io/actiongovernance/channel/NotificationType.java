package io.actiongovernance.channel;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** Types of notifications (contract for people, section 5). */
public enum NotificationType {
  /** A plan waits for a person. */
  APPROVAL_REQUESTED("approval.requested", "plan.held"),
  /** A plan was executed, vetoed, or has expired. */
  PLAN_DISPOSED("plan.disposed", "plan.disposed"),
  /** Something was halted, or a halt was lifted. */
  HALT("halt", "halt.halted", "halt.lifted");

  private final String wire;
  private final Set<String> facts;

  NotificationType(String wire, String... facts) {
    this.wire = wire;
    this.facts = Set.of(facts);
  }

  @JsonValue
  public String wire() {
    return wire;
  }

  public Set<String> facts() {
    return facts;
  }

  public static Optional<NotificationType> parse(String text) {
    return Arrays.stream(values()).filter(type -> type.wire.equals(text)).findFirst();
  }

  public static Optional<NotificationType> ofFact(String fact) {
    return Arrays.stream(values()).filter(type -> type.facts.contains(fact)).findFirst();
  }
}
