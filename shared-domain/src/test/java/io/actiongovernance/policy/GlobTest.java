package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource({
    "order.*, order.created",
    "*.created, order.created",
    "order.*.issued, order.refund.issued",
    "*, order",
    "*.*, a.b",
    "order.created, order.created",
    "a-b.c_D9, a-b.c_D9"
  })
  void aGlobMatchesItsNames(String glob, String name) {
    assertThat(Glob.parse(glob).matches(name)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "order.*, order",
    "order.*, order.refund.issued",
    "order.*, orders.created",
    "order.*, order.",
    "order.*, xorder.created",
    "*, order.created",
    "*.created, .created",
    "*.created, order.createdx",
    "*.created, order.create",
    "order.*.issued, order.refund",
    "order.*.issued, order.issued",
    "order.created, order.created.x",
    "order.created, Order.created"
  })
  void aStarIsExactlyOneSegment(String glob, String name) {
    assertThat(Glob.parse(glob).matches(name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ".", "a.", ".a", "a..b", "a*", "*a", "a.b*", "**", "a b", "a.é", "a\n"})
  void anInvalidGlobIsRefused(String text) {
    assertThat(Glob.isValid(text)).isFalse();
    assertThatIllegalArgumentException().isThrownBy(() -> Glob.parse(text));
  }

  @Test
  void aGlobHasAtMost200Characters() {
    assertThat(Glob.isValid("a".repeat(200))).isTrue();
    assertThat(Glob.isValid("a".repeat(201))).isFalse();
  }
}
