package io.actiongovernance.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrincipalTest {
  private final Principal danas =
      new Principal(Principal.Type.KEY, "key_1", "one", "dana@acme.example");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dana@acme.example",
        "DANA@acme.example",
        " dana@acme.example",
        "ｄana@acme.example",
        "dana@acme.example\u200b",
        "da\u00adna@acme.example"
      })
  void twoKeysOfOneOwnerAreOnePrincipalInEverySpelling(String owner) {
    assertThat(danas.is(new Principal(Principal.Type.KEY, "key_2", "two", owner))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Dana  Ltd",
        "dana ltd",
        "Dana\tLtd",
        "Dana \u200b Ltd",
        "\u3000Dana\u00a0\u2003Ltd\u0085",
        "Dana\u2028\u1680Ltd"
      })
  void theKindOfSpaceInAnOwnerMakesNoDifference(String owner) {
    Principal of = new Principal(Principal.Type.KEY, "key_1", "one", "Dana Ltd");
    assertThat(of.is(new Principal(Principal.Type.KEY, "key_2", "two", owner))).isTrue();
    assertThat(of.is(new Principal(Principal.Type.KEY, "key_2", "two", "DanaLtd"))).isFalse();
  }

  @Test
  void keysOfDifferentOrUnknownOwnersAreDifferentPrincipals() {
    assertThat(danas.is(new Principal(Principal.Type.KEY, "key_2", "two", "sam@acme.example")))
        .isFalse();
    assertThat(danas.is(new Principal(Principal.Type.KEY, "key_2", "two", null))).isFalse();
    assertThat(danas.is(new Principal(Principal.Type.OPERATOR, "key_1", "one", null))).isFalse();
  }

  private static Principal principal(Principal.Type type, String id, String issuer, String sub) {
    return new Principal(type, id, "name", null, new Subject(issuer, sub));
  }

  @Test
  void oneSubjectOfOneIssuerIsOnePrincipal() {
    Principal agent = principal(Principal.Type.AGENT, "agt_1", "https://a.example", "1");
    assertThat(agent.is(principal(Principal.Type.PERSON, "per_1", "https://a.example", "1")))
        .isTrue();
    assertThat(principal(Principal.Type.KEY, "key_1", "https://a.example", "1").is(agent)).isTrue();
    assertThat(agent.is(principal(Principal.Type.AGENT, "agt_2", "https://a.example", "1")))
        .isTrue();
  }

  @Test
  void anotherSubjectOrIssuerIsAnotherPrincipal() {
    Principal agent = principal(Principal.Type.AGENT, "agt_1", "https://a.example", "a1");
    assertThat(agent.is(principal(Principal.Type.PERSON, "per_1", "https://a.example", "A1")))
        .isFalse();
    assertThat(agent.is(principal(Principal.Type.PERSON, "per_1", "https://b.example", "a1")))
        .isFalse();
    assertThat(agent.is(new Principal(Principal.Type.PERSON, "per_1", "Dana", null))).isFalse();
  }
}
