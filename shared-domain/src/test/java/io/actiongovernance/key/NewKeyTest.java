package io.actiongovernance.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.outcome.Problem;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which scopes one key may have (contract, sections 4 and 9). */
final class NewKeyTest {
  private static NewKey key(Set<Scope> scopes) {
    return new NewKey("key", null, scopes, Mode.LIVE, null, Set.of(), null, null);
  }

  /** The contract's list, said once more. */
  private static boolean forbidden(Set<Scope> scopes) {
    Set<Scope> deciding =
        EnumSet.of(
            Scope.PLANS_APPROVE,
            Scope.ACTIONS_WRITE,
            Scope.OPERATORS_WRITE,
            Scope.CONNECTORS_WRITE,
            Scope.HALTS_WRITE,
            Scope.KEYS_WRITE);
    Set<Scope> configuring = EnumSet.of(Scope.OPERATORS_WRITE, Scope.CONNECTORS_WRITE);
    return (scopes.contains(Scope.PLANS_PROPOSE) && scopes.stream().anyMatch(deciding::contains))
        || (scopes.contains(Scope.PLANS_APPROVE)
            && scopes.stream().anyMatch(configuring::contains));
  }

  @ParameterizedTest
  @EnumSource
  void aForbiddenPairOfScopesStaysForbiddenWithAThird(Scope first) {
    for (Scope second : Scope.values()) {
      for (Scope third : Scope.values()) {
        Set<Scope> scopes = EnumSet.of(first, second, third);
        if (!NewKey.listable().containsAll(scopes) || forbidden(scopes)) {
          assertThat(catchThrowableOfType(Problem.class, () -> key(scopes)))
              .as(scopes.toString())
              .isNotNull();
        } else {
          assertThat(key(scopes).scopes()).isEqualTo(scopes);
        }
      }
    }
  }

  @Test
  void onlyTheAdminRoleCombinesForbiddenScopes() {
    for (Role role : Role.values()) {
      assertThat(forbidden(role.scopes())).as(role.wire()).isEqualTo(role == Role.ADMIN);
    }
  }
}
