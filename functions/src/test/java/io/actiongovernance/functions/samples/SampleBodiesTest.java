package io.actiongovernance.functions.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.priming.SourceSystem;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SampleBodiesTest {
  private static final Pattern HOST = Pattern.compile("https?://([^:/\"]*)");

  @Test
  void noBodyNamesAnyHostButTheSourceSystem() {
    try (SourceSystem sourceSystem = new SourceSystem()) {
      SampleBodies bodies = new SampleBodies(parameter -> parameter + "_1", sourceSystem::url);
      List<String> all =
          Stream.concat(
                  Routes.all().stream().map(bodies::of),
                  Stream.of(bodies.held(), bodies.draft(), bodies.unauthorized()))
              .toList();
      assertThat(all).allMatch(body -> Json.read(body).isObject());
      assertThat(all)
          .flatMap(
              body -> HOST.matcher(body).results().map((MatchResult at) -> at.group(1)).toList())
          .hasSizeGreaterThan(3)
          .containsOnly(sourceSystem.url("http").getHost());
    }
  }
}
