package io.actiongovernance.shape;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class CirclesTest {
  @Test
  void aLineIsNoCircle() {
    assertThat(Circles.of(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of()))).isEmpty();
  }

  @Test
  void onlyNodesThatReachEachOtherFormACircle() {
    assertThat(
            Circles.of(
                Map.of(
                    "a", Set.of("b", "x"),
                    "b", Set.of("a", "c"),
                    "c", Set.of("b"),
                    "x", Set.of("y"),
                    "y", Set.of("x", "end"),
                    "end", Set.of("end"))))
        .containsExactly(new TreeSet<>(Set.of("a", "b", "c")), new TreeSet<>(Set.of("x", "y")));
  }
}
