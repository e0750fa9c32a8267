package io.actiongovernance.key;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a key to be created is asked to be (specification, POST /v1/keys; contract, section 9).
 *
 * @param role null when the scopes were listed
 * @param scopes what it will grant
 * @param workspaceId the workspace to pin it to, or null for the whole tenant
 * @param operatorIds the operators to bind it to; empty to bind it to none
 * @param expiresAt when it is to end by itself, or null if it is not to
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
  /** The most operators that a key can be bound to. */
  public static final int MOST_OPERATORS = 20;

  /** The most characters that the name of an owner has. */
  private static final int LONGEST_OWNER = 200;

  /** What only the admin role grants. */
  private static final Set<Scope> ADMIN_ONLY =
      EnumSet.of(Scope.KEYS_READ, Scope.KEYS_WRITE, Scope.BILLING_WRITE);

  /**
   * What a list of scopes may not join (contract, section 4). With what stands beside it, who
   * proposes could let their own proposals pass, and who approves could change what they approve
   * under.
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

  public NewKey {
    scopes = Set.copyOf(scopes);
    operatorIds = Set.copyOf(operatorIds);
  }

  /** What a list of scopes may have in it: all but what only the admin role grants. */
  public static Set<Scope> listable() {
    return EnumSet.complementOf(EnumSet.copyOf(ADMIN_ONLY));
  }

  /** Whether a list of scopes may have both in it. */
  public static boolean joinable(Scope one, Scope other) {
    return !NOT_JOINED.getOrDefault(one, Set.of()).contains(other)
        && !NOT_JOINED.getOrDefault(other, Set.of()).contains(one);
  }

  /** A key of the whole tenant with a role's scopes. */
  public static NewKey of(String name, Role role, Mode mode) {
    return new NewKey(name, role, role.scopes(), mode, null, Set.of(), null, null);
  }

  /**
   * Reads the body of a creation; throws {@link Problem} for what breaks its rules.
   *
   * @param now what the end of a key must lie behind
   */
  public static NewKey read(Fields body, Instant now) {
    String name = body.name("name", 3, 60);
    Role role = body.choiceOrNull("role", Role::parse, Role.names());
    List<String> listed = body.textsOrNull("scopes", 1, 100, 100);
    if (role != null && listed != null) {
      throw Problem.invalid("scopes", "role and scopes exclude each other.");
    }
    if (role == null && listed == null) {
      throw Problem.missing("role");
    }
    Set<Scope> scopes =
        role == null ? explicit(body, listed == null ? List.of() : listed) : role.scopes();
    Mode mode = body.choiceOrNull("mode", Mode::parse, "live or test");
    String workspace = body.nameOrNull("workspace_id", 1, 100);
    Set<OperatorId> operators = operators(body, role);
    Instant end = end(body, role, now);
    String owner = owner(body);
    body.done();
    return new NewKey(
        name, role, scopes, mode == null ? Mode.LIVE : mode, workspace, operators, end, owner);
  }

  /** Reads who the person behind a key is said to be. */
  public static @Nullable String owner(Fields body) {
    return body.nameOrNull("owner", 1, LONGEST_OWNER);
  }

  private static Set<OperatorId> operators(Fields body, @Nullable Role role) {
    List<String> listed = body.textsOrNull("operator_ids", 1, MOST_OPERATORS, 100);
    Set<OperatorId> operators = new HashSet<>();
    if (listed == null) {
      return operators;
    }
    requireNoAdmin(body, "operator_ids", role);
    for (int at = 0; at < listed.size(); at++) {
      String param = body.param("operator_ids[" + at + "]");
      operators.add(
          OperatorId.parse(listed.get(at))
              .orElseThrow(
                  () -> Problem.invalid(param, param + " must be the id of an operator.")));
    }
    return operators;
  }

  private static @Nullable Instant end(Fields body, @Nullable Role role, Instant now) {
    Instant end = body.choiceOrNull("expires_at", Timestamps::parse, "an RFC 3339 timestamp");
    if (end == null) {
      return null;
    }
    requireNoAdmin(body, "expires_at", role);
    if (!end.truncatedTo(ChronoUnit.MILLIS).isAfter(now)) {
      throw Problem.invalid(body.param("expires_at"), "expires_at must lie ahead.");
    }
    return end.truncatedTo(ChronoUnit.MILLIS);
  }

  /**
   * An admin key that ends, or that does not reach everything, could leave a tenant without one.
   */
  private static void requireNoAdmin(Fields body, String name, @Nullable Role role) {
    if (role == Role.ADMIN) {
      throw Problem.invalid(body.param(name), "The role admin takes no " + name + ".");
    }
  }

  private static Set<Scope> explicit(Fields body, List<String> listed) {
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (int at = 0; at < listed.size(); at++) {
      String param = body.param("scopes[" + at + "]");
      Scope scope =
          Scope.parse(listed.get(at))
              .orElseThrow(() -> Problem.invalid(param, param + " is no scope."));
      if (ADMIN_ONLY.contains(scope)) {
        throw Problem.invalid(param, scope.wire() + " is granted only through the admin role.");
      }
      scopes.add(scope);
    }
    for (Scope one : scopes) {
      Set<Scope> clashing =
          scopes.stream().filter(other -> !joinable(one, other)).collect(Collectors.toSet());
      if (!clashing.isEmpty()) {
        throw Problem.invalid(
            body.param("scopes"),
            one.wire()
                + " cannot be joined with "
                + clashing.stream().map(Scope::wire).sorted().collect(Collectors.joining(", "))
                + ": who proposes must not decide, and who approves must not change what they"
                + " approve under.");
      }
    }
    return scopes;
  }
}
