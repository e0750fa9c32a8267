package io.actiongovernance.functions.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lines are in the format that CloudWatch reads metrics out of. */
final class MetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:44:07.412Z");

  private final List<String> lines = new ArrayList<>();
  private final Metrics metrics = new Metrics("governance-prod", () -> NOW, lines::add);

  @ParameterizedTest
  @EnumSource
  void everyLineFitsThePublishedSchema(Metric metric) throws IOException {
    metrics.count(metric, 0);
    metrics.count(metric, "applied", 3);
    assertThat(lines).hasSize(2);
    for (String line : lines) {
      assertThat(schema().validate(Json.read(line))).isEmpty();
      assertThat(line).doesNotContain("\n");
    }
  }

  @Test
  void aLineHasTheValuesThatItsDirectiveNames() {
    metrics.count(Metric.ACTIONS, "applied", 3);
    JsonNode line = Json.read(lines.getFirst());
    JsonNode directive = line.at("/_aws/CloudWatchMetrics/0");
    assertThat(line.at("/_aws/Timestamp").longValue()).isEqualTo(NOW.toEpochMilli());
    assertThat(directive.path("Namespace").textValue()).isEqualTo("ActionGovernance");
    assertThat(directive.at("/Dimensions/0"))
        .extracting(JsonNode::textValue)
        .containsExactly("deployment", "outcome")
        .allMatch(line::has);
    assertThat(line.path(directive.at("/Metrics/0/Name").textValue()).longValue()).isEqualTo(3);
    assertThat(line.path("deployment").textValue()).isEqualTo("governance-prod");
    assertThat(line.path("outcome").textValue()).isEqualTo("applied");
  }

  private static JsonSchema schema() throws IOException {
    try (InputStream published =
        Objects.requireNonNull(
            MetricsTest.class.getResourceAsStream("/embedded-metric-format.schema.json"))) {
      return JsonSchemaFactory.getInstance(VersionFlag.V7)
          .getSchema(Json.read(new String(published.readAllBytes(), UTF_8)));
    }
  }
}
