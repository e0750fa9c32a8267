package io.actiongovernance.access;

import static io.actiongovernance.access.Scope.ACTIONS_READ;
import static io.actiongovernance.access.Scope.ACTIONS_WRITE;
import static io.actiongovernance.access.Scope.BILLING_READ;
import static io.actiongovernance.access.Scope.CONNECTORS_READ;
import static io.actiongovernance.access.Scope.EVENTS_READ;
import static io.actiongovernance.access.Scope.EVENTS_WRITE;
import static io.actiongovernance.access.Scope.HALTS_READ;
import static io.actiongovernance.access.Scope.HALTS_WRITE;
import static io.actiongovernance.access.Scope.OPERATORS_READ;
import static io.actiongovernance.access.Scope.PLANS_AMEND;
import static io.actiongovernance.access.Scope.PLANS_APPROVE;
import static io.actiongovernance.access.Scope.PLANS_PROPOSE;
import static io.actiongovernance.access.Scope.PLANS_READ;
import static io.actiongovernance.access.Scope.RECEIPTS_READ;
import static io.actiongovernance.access.Scope.RESULTS_READ;
import static io.actiongovernance.access.Scope.WEBHOOKS_READ;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A preset of scopes, expanded when a key is created (contract, section 9). */
public enum Role {
  READ_ONLY(
      "read_only",
      EnumSet.of(
          EVENTS_READ,
          OPERATORS_READ,
          CONNECTORS_READ,
          PLANS_READ,
          ACTIONS_READ,
          RECEIPTS_READ,
          WEBHOOKS_READ,
          BILLING_READ,
          HALTS_READ)),
  INGEST("ingest", EnumSet.of(EVENTS_WRITE)),
  /** Lacks operators:write, because approvers must not be able to widen guardrails. */
  OPERATE(
      "operate",
      with(READ_ONLY, EVENTS_WRITE, PLANS_APPROVE, PLANS_AMEND, ACTIONS_WRITE, HALTS_WRITE)),
  /** For proposers: lacks every scope by which it could approve, or widen what it may propose. */
  AGENT(
      "agent",
      EnumSet.of(
          PLANS_PROPOSE, PLANS_READ, ACTIONS_READ, RESULTS_READ, CONNECTORS_READ, OPERATORS_READ)),
  ADMIN("admin", EnumSet.allOf(Scope.class));

  private final String wire;
  private final Set<Scope> scopes;

  Role(String wire, Set<Scope> scopes) {
    this.wire = wire;
    this.scopes = scopes;
  }

  private static Set<Scope> with(Role role, Scope... more) {
    EnumSet<Scope> all = EnumSet.copyOf(role.scopes);
    all.addAll(Arrays.asList(more));
    return all;
  }

  public static String names() {
    List<String> names = Arrays.stream(values()).map(Role::wire).toList();
    return String.join(", ", names.subList(0, names.size() - 1)) + " or " + names.getLast();
  }

  @JsonValue
  public String wire() {
    return wire;
  }

  /** Returns the scopes that a new key with this role gets. */
  public Set<Scope> scopes() {
    return EnumSet.copyOf(scopes);
  }

  public static Optional<Role> parse(String text) {
    return Arrays.stream(values()).filter(role -> role.wire.equals(text)).findFirst();
  }
}
