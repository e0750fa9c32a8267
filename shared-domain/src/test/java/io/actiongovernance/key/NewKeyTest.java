package io.actiongovernance.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which scopes one key may have (contract, sections 4 and 9). */
final class NewKeyTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:44:07.412Z");

  private static NewKey read(Set<Scope> scopes) {
    ObjectNode body = Json.object().put("name", "key");
    scopes.forEach(scope -> body.withArray("scopes").add(scope.wire()));
    return NewKey.read(new Fields(body, "", true), NOW);
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
  void noPairThatMayNotBeJoinedIsMadeAllowedByAThirdScope(Scope first) {
    for (Scope second : Scope.values()) {
      for (Scope third : Scope.values()) {
        Set<Scope> scopes = EnumSet.of(first, second, third);
        if (!NewKey.listable().containsAll(scopes) || forbidden(scopes)) {
          assertThat(catchThrowableOfType(Problem.class, () -> read(scopes)))
              .as(scopes.toString())
              .isNotNull();
        } else {
          assertThat(read(scopes).scopes()).isEqualTo(scopes);
        }
      }
    }
  }

  @Test
  void noRoleButAdminJoinsThem() {
    for (Role role : Role.values()) {
      assertThat(forbidden(role.scopes())).as(role.wire()).isEqualTo(role == Role.ADMIN);
    }
  }
}
