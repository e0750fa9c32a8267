package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class GlobProperties {
  @Provide
  Arbitrary<List<String>> names() {
    return Arbitraries.of("a", "b", "ab").list().ofMinSize(1).ofMaxSize(4);
  }

  @Provide
  Arbitrary<List<String>> globs() {
    return Arbitraries.of("a", "b", "ab", "*").list().ofMinSize(1).ofMaxSize(4);
  }

  @Property
  void aGlobMatchesSegmentBySegment(
      @ForAll("globs") List<String> glob, @ForAll("names") List<String> name) {
    boolean expected = glob.size() == name.size();
    for (int at = 0; expected && at < glob.size(); at++) {
      expected = glob.get(at).equals("*") || glob.get(at).equals(name.get(at));
    }
    assertThat(Glob.parse(String.join(".", glob)).matches(String.join(".", name)))
        .isEqualTo(expected);
  }

  @Property
  void anyTextCanBeMatched(@ForAll String text, @ForAll("globs") List<String> glob) {
    boolean matches = Glob.parse(String.join(".", glob)).matches(text);
    assertThat(matches && text.split("\\.", -1).length != glob.size()).isFalse();
    assertThat(Glob.isValid(text))
        .isEqualTo(text.matches("([*]|[\\w-]+)([.]([*]|[\\w-]+))*") && text.length() <= 200);
  }
}
