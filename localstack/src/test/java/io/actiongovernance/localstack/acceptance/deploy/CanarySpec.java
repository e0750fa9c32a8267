package io.actiongovernance.localstack.acceptance.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.functions.canary.Canary;
import io.actiongovernance.functions.canary.CanaryApi;
import io.actiongovernance.functions.canary.CanaryFunction;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.time.Sleeper;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The canary has an action governed from end to end, over HTTP, as each minute in a deployment. */
final class CanarySpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final List<String> made = new ArrayList<>();

  @Test
  void eachCanaryRunGovernsAnActionAndReusesItsSetup() throws Exception {
    try (EmbeddedStack stack =
        EmbeddedStack.start(
            new EmbeddedStack.Options(folder, 0, Map.of(), Service.governance(), line -> {}))) {
      String key = stack.announce().keys().live();
      try (CanaryApi api = new CanaryApi(stack.baseUrl(), key)) {
        Canary canary = canary(api);
        String first = canary.fly();
        assertThat(canary.fly()).startsWith("rc_").isNotEqualTo(first);
        assertThat(canary(api).fly()).startsWith("rc_");
        assertThat(api.send("GET", "/v1/operators", null).path("data")).hasSize(1);
        assertThat(api.send("GET", "/v1/connectors", null).path("data")).hasSize(1);
      }
      whoHasNoKeySaysSoAndAnotherKeyCountsFromTheNextTimeOn(stack.baseUrl(), key);
      try (CanaryApi unknown = new CanaryApi(stack.baseUrl(), "sk_live_unknown")) {
        assertThatThrownBy(() -> canary(unknown).fly())
            .isInstanceOf(Canary.Failed.class)
            .hasMessageContaining("401");
      }
    }
  }

  private void whoHasNoKeySaysSoAndAnotherKeyCountsFromTheNextTimeOn(URI base, String key) {
    List<String> keys = new ArrayList<>(List.of("made up", "sk_live_unknown", key + "\n", key));
    CanaryFunction function =
        new CanaryFunction(
            keys::removeFirst,
            known -> {
              made.add(known);
              return canary(new CanaryApi(base, known));
            },
            Metrics.none());
    assertThat(List.of(function, function, function, function))
        .map(each -> each.handleRequest(Map.of(), null).get("outcome"))
        .containsExactly("keyless", "failed", "ok", "ok");
    assertThat(made).containsExactly("sk_live_unknown", key);
  }

  private static Canary canary(Canary.Api api) {
    return new Canary(api, InstantSource.system(), Sleeper.real());
  }
}
