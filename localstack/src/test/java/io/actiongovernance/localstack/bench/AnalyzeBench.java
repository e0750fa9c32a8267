package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.analysis.ManyGuardrails;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long the analysis of as many guardrails as there may be takes, from request to answer: by
 * themselves, and beside as many proposed ones, of several shapes.
 */
final class AnalyzeBench {
  private static final int TOOLS = 100;
  private static final int TIMES = 5;

  private AnalyzeBench() {}

  static List<Figures> run() throws Exception {
    Figures figures =
        new Figures(
            "analysis of guardrails",
            "shape",
            "first ms",
            "p50 ms",
            "max ms",
            "p50 of processor ms",
            "found",
            "complete");
    try (OwnStack stack = new OwnStack(Service.governance(), Map.of())) {
      Tenant tenant = stack.newTenant("analyze");
      install(tenant);
      for (Shape shape : Shape.values()) {
        measure(figures, tenant, shape);
      }
    }
    return List.of(
        figures
            .note(
                "%,d guardrails, over %d tools, beside as many proposed ones."
                    .formatted(Guardrails.MAX_GUARDRAILS, TOOLS))
            .note("The processors' time is all that the process used, its two ends included."));
  }

  /** How the guardrails lie, and how the proposed ones differ from them. */
  private enum Shape {
    SPREAD("spread over all tools", TOOLS),
    ONE_TOOL("all on one tool", 1),
    GLOBS("all globs over all tools", 0);

    private final String title;
    private final int tools;

    Shape(String title, int tools) {
      this.title = title;
      this.tools = tools;
    }
  }

  private static void install(Tenant tenant) throws Exception {
    ObjectNode body = Json.object().put("listing_id", "cn-http").put("name", "upstream");
    ArrayNode tools =
        body.putObject("config").put("base_url", "http://127.0.0.1:9").putArray("tools");
    for (int tool = 0; tool < TOOLS; tool++) {
      ObjectNode one =
          tools
              .addObject()
              .put("name", "pay.tool" + tool)
              .put("capability", "pay")
              .put("tier", tool % 4)
              .put("description", "Pays.")
              .put("retry_safe", true);
      one.putObject("input_schema").put("type", "object");
      one.putObject("request").put("method", "POST").put("path", "/pay");
    }
    tenant.post("/v1/connectors", Json.write(body));
  }

  private static void measure(Figures figures, Tenant tenant, Shape shape) throws Exception {
    ObjectNode operator =
        Json.object().put("name", shape.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    operator.set("guardrails", ManyGuardrails.over(shape.tools, false));
    String path =
        "/v1/operators/"
            + Tenant.id(tenant.post("/v1/operators", Json.write(operator)))
            + "/guardrails/analyze";
    row(figures, tenant, path, shape.title + ", alone", Json.object());
    row(figures, tenant, path, shape.title + ", all tightened", proposing(shape, true, false));
    row(figures, tenant, path, shape.title + ", one loosened", proposing(shape, false, true));
  }

  private static ObjectNode proposing(Shape shape, boolean tightened, boolean loosened) {
    ArrayNode guardrails = ManyGuardrails.over(shape.tools, tightened);
    if (loosened) {
      ((ObjectNode) guardrails.get(7)).putNull("conditions");
    }
    ObjectNode body = Json.object();
    body.set("guardrails", guardrails);
    return body;
  }

  private static void row(
      Figures figures, Tenant tenant, String path, String title, ObjectNode proposed)
      throws Exception {
    String body = Json.write(proposed);
    List<Double> millis = new ArrayList<>();
    List<Double> processor = new ArrayList<>();
    JsonNode analysis = Json.object();
    for (int time = 0; time < TIMES; time++) {
      Duration used = Parallel.processorTime();
      long began = System.nanoTime();
      analysis = tenant.post(path, body);
      millis.add((System.nanoTime() - began) / 1e6);
      processor.add(Parallel.processorTime().minus(used).toNanos() / 1e6);
    }
    Percentiles percentiles = new Percentiles(millis);
    int found = 0;
    for (String kind : List.of("uncovered_tools", "unreachable", "conflicts", "permits_more")) {
      found += analysis.path(kind).size();
    }
    figures.row(
        title,
        millis.getFirst(),
        percentiles.at(50),
        percentiles.at(100),
        new Percentiles(processor).at(50),
        found,
        analysis.path("complete").asBoolean());
  }
}
