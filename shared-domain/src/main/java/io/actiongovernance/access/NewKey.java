package io.actiongovernance.access;

import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.Fields;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a key to be created is asked to be (specification, POST /v1/keys; contract, section 9).
 *
 * @param role null when the scopes were listed
 * @param scopes what it will grant
 * @param workspaceId the workspace to pin it to, or null for the whole tenant
 */
public record NewKey(
    String name, @Nullable Role role, Set<Scope> scopes, Mode mode, @Nullable String workspaceId) {
  /** What only the admin role grants. */
  private static final Set<Scope> ADMIN_ONLY =
      EnumSet.of(Scope.KEYS_READ, Scope.KEYS_WRITE, Scope.BILLING_WRITE);

  /**
   * What a key that may propose must not have beside: its proposals would be no longer checked by
   * another.
   */
  private static final Set<Scope> NOT_WITH_PROPOSING =
      EnumSet.of(Scope.PLANS_APPROVE, Scope.OPERATORS_WRITE);

  public NewKey {
    scopes = Set.copyOf(scopes);
  }

  /** What a list of scopes may have in it: all but what only the admin role grants. */
  public static Set<Scope> listable() {
    return EnumSet.complementOf(EnumSet.copyOf(ADMIN_ONLY));
  }

  /** A key of the whole tenant with a role's scopes. */
  public static NewKey of(String name, Role role, Mode mode) {
    return new NewKey(name, role, role.scopes(), mode, null);
  }

  /** Reads the body of a creation; throws {@link ApiException} for what breaks its rules. */
  public static NewKey read(Fields body) {
    String name = body.name("name", 3, 60);
    Role role = body.choiceOrNull("role", Role::parse, "read_only, ingest, operate or admin");
    List<String> listed = body.textsOrNull("scopes", 1, 100, 100);
    if (role != null && listed != null) {
      throw ApiException.invalid("scopes", "role and scopes exclude each other.");
    }
    if (role == null && listed == null) {
      throw ApiException.missing("role");
    }
    Set<Scope> scopes =
        role == null ? explicit(body, listed == null ? List.of() : listed) : role.scopes();
    Mode mode = body.choiceOrNull("mode", Mode::parse, "live or test");
    String workspace = body.nameOrNull("workspace_id", 1, 100);
    body.done();
    return new NewKey(name, role, scopes, mode == null ? Mode.LIVE : mode, workspace);
  }

  private static Set<Scope> explicit(Fields body, List<String> listed) {
    EnumSet<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (int at = 0; at < listed.size(); at++) {
      String param = body.param("scopes[" + at + "]");
      Scope scope =
          Scope.parse(listed.get(at))
              .orElseThrow(() -> ApiException.invalid(param, param + " is no scope."));
      if (ADMIN_ONLY.contains(scope)) {
        throw ApiException.invalid(
            param, scope.wire() + " is granted only through the admin role.");
      }
      scopes.add(scope);
    }
    if (scopes.contains(Scope.PLANS_PROPOSE)
        && scopes.stream().anyMatch(NOT_WITH_PROPOSING::contains)) {
      throw ApiException.invalid(
          body.param("scopes"),
          "plans:propose cannot be joined with plans:approve or operators:write: who proposes must not"
              + " decide.");
    }
    return scopes;
  }
}
