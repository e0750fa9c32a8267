package io.actiongovernance.localstack.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResourcesTest {
  private final Resources resources =
      new Resources(List.of("/", "/{proxy+}", "/v1", "/v1/{id}", "/v1/events", "/v1/{id}/veto"));

  @Test
  void fixedSegmentsMatchBeforeParametersAndTheCatchAll() {
    assertThat(resource("/v1/events")).isEqualTo("/v1/events");
    assertThat(resource("/v1/other")).isEqualTo("/v1/{id}");
    assertThat(resource("/v1/other/veto")).isEqualTo("/v1/{id}/veto");
    assertThat(resource("/v2")).isEqualTo("/{proxy+}");
    assertThat(resource("/")).isEqualTo("/");
  }

  @Test
  void theCatchAllIsOneParameterAsSent() {
    Resources.Match match = resources.match("/v1/a%2Fb/c").orElseThrow();
    assertThat(match.resource()).isEqualTo("/{proxy+}");
    assertThat(match.parameters()).isEqualTo(Map.of("proxy", "v1/a%2Fb/c"));
  }

  private String resource(String path) {
    return resources.match(path).orElseThrow().resource();
  }
}
