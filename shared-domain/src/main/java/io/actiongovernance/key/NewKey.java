package io.actiongovernance.key;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Problem;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request's description of a key to create (specification, POST /v1/keys; contract, section 9).
 *
 * @param role null if the scopes were listed
 * @param workspaceId the workspace to pin it to, or null for the whole tenant
 * @param operatorIds the operators to bind it to; empty to bind it to none
 * @param expiresAt when it expires, or null if never
 * @param owner the person behind it, or null
 */
public record NewKey(
    String name,
    @Nullable Role role,
    Set<Scope> scopes,
    Mode mode,
    @Nullable String workspaceId,
    Set<OperatorId> operatorIds,
    @Nullable Instant expiresAt,
    @Nullable String owner) {
  public static final int MOST_OPERATORS = 20;

  public static final int LONGEST_OWNER = 200;

  /** Scopes that only the admin role grants. */
  private static final Set<Scope> ADMIN_ONLY =
      EnumSet.of(
          Scope.KEYS_READ,
          Scope.KEYS_WRITE,
          Scope.BILLING_WRITE,
          Scope.PEOPLE_READ,
          Scope.PEOPLE_WRITE);

  /**
   * Scopes that one list may not combine (contract, section 4). Otherwise, a proposer could let
   * their own proposals pass, and an approver could change the rules of their approval.
   */
  private static final Map<Scope, Set<Scope>> NOT_JOINED =
      Map.of(
          Scope.PLANS_PROPOSE,
          EnumSet.of(
              Scope.PLANS_APPROVE,
              Scope.ACTIONS_WRITE,
              Scope.OPERATORS_WRITE,
              Scope.CONNECTORS_WRITE,
              Scope.HALTS_WRITE,
              Scope.KEYS_WRITE),
          Scope.PLANS_APPROVE,
          EnumSet.of(Scope.OPERATORS_WRITE, Scope.CONNECTORS_WRITE));

  /**
   * @throws Problem if a rule is broken
   */
  public NewKey {
    scopes = Set.copyOf(scopes);
    operatorIds = Set.copyOf(operatorIds);
    expiresAt = expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MILLIS);
    if (role == null) {
      requireListable(scopes);
    }
    // An admin key that expires, or that does not reach everything, could leave a tenant without an
    // admin key.
    if (role == Role.ADMIN && !operatorIds.isEmpty()) {
      throw Problem.invalid("operator_ids", "The role admin takes no operator_ids.");
    }
    if (role == Role.ADMIN && expiresAt != null) {
      throw Problem.invalid("expires_at", "The role admin takes no expires_at.");
    }
  }

  /** Returns the scopes that a list may have: all except those that only the admin role grants. */
  public static Set<Scope> listable() {
    return EnumSet.complementOf(EnumSet.copyOf(ADMIN_ONLY));
  }

  /** Returns whether a list of scopes may have both of these scopes. */
  public static boolean joinable(Scope one, Scope other) {
    return !NOT_JOINED.getOrDefault(one, Set.of()).contains(other)
        && !NOT_JOINED.getOrDefault(other, Set.of()).contains(one);
  }

  public static NewKey of(String name, Role role, Mode mode) {
    return new NewKey(name, role, role.scopes(), mode, null, Set.of(), null, null);
  }

  private static void requireListable(Set<Scope> scopes) {
    if (!listable().containsAll(scopes)) {
      throw Problem.invalid("scopes", "Some scopes are granted only through the admin role.");
    }
    for (Scope one : scopes.stream().sorted().toList()) {
      String clashing =
          scopes.stream()
              .filter(other -> !joinable(one, other))
              .map(Scope::wire)
              .sorted()
              .collect(Collectors.joining(", "));
      if (!clashing.isEmpty()) {
        throw Problem.invalid(
            "scopes",
            one.wire()
                + " cannot be combined with "
                + clashing
                + ": a proposer must not decide, and an approver must not change the rules that they approve under.");
      }
    }
  }
}
