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
  void twoKeysOfOnePersonAreOneHoweverThePersonIsSpelled(String owner) {
    assertThat(danas.is(new Principal(Principal.Type.KEY, "key_2", "two", owner))).isTrue();
  }

  @Test
  void keysOfDifferentPeopleOrOfNobodyAreNot() {
    assertThat(danas.is(new Principal(Principal.Type.KEY, "key_2", "two", "sam@acme.example")))
        .isFalse();
    assertThat(danas.is(new Principal(Principal.Type.KEY, "key_2", "two", null))).isFalse();
    assertThat(danas.is(new Principal(Principal.Type.OPERATOR, "key_1", "one", null))).isFalse();
  }
}
