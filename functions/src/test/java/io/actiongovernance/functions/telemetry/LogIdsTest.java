package io.actiongovernance.functions.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** The identifiers of what is handled are in the log, and nothing else of it. */
final class LogIdsTest {
  @Test
  void onlyIdentifiersAreLogged() {
    try (LogIds ids = LogIds.of(null)) {
      ids.with("request_id", "req_1").with(Map.of("plan_id", "pl_1", "args", "secret", "id", 7));
      assertThat(MDC.getCopyOfContextMap())
          .containsOnly(Map.entry("request_id", "req_1"), Map.entry("plan_id", "pl_1"));
    }
  }

  @Test
  void onlyValidPathIdsAreLoggedAndAKeyIdIsLoggedAsTheTarget() {
    String id = "key_" + "0".repeat(26);
    try (LogIds ids = LogIds.of(null)) {
      ids.withPath(
          Map.of("key_id", id, "plan_id", "sk_live_" + "a".repeat(38), "halt_id", id + "\nforged"));
      assertThat(MDC.getCopyOfContextMap()).containsOnly(Map.entry("target_key_id", id));
    }
  }

  @Test
  void closingRemovesAllIdentifiersIncludingTheDomains() {
    try (LogIds ids = LogIds.of(null)) {
      ids.with("plan_id", "pl_1");
      MDC.put("correlation_id", "co_1");
    }
    assertThat(MDC.get("plan_id")).isNull();
    assertThat(MDC.get("correlation_id")).isNull();
  }
}
