package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.fixture.Lighthouse;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The console in a browser on this machine, signed in, with 20 plans in the queue: how long from
 * the navigation of a browser that has nothing of it to a queue that can be used, how much that
 * loads, how long until a new held plan is painted on a page that is open, and what Lighthouse says
 * of a queue and of a plan, as a phone on a slow network. {@code -Dgovernance.bench.loads}, 20.
 */
final class ConsoleBench {
  private static final int LOADS = Integer.getInteger("governance.bench.loads", 20);
  private static final int WARM = 3;
  private static final int WAITING = 20;
  private static final int JUDGED = 3;

  private ConsoleBench() {}

  static List<Figures> run() throws Exception {
    try (OwnStack stack = new OwnStack(Service.governance(), Map.of())) {
      Tenant tenant = stack.newTenant("console");
      String connector =
          Tenant.id(
              tenant.post(
                  "/v1/connectors", "{\"listing_id\":\"cn-sandbox\",\"name\":\"sandbox\"}"));
      String operator =
          Tenant.id(
              tenant.post(
                  "/v1/operators",
                  """
                  {"name":"refund-desk","triggers":{"event_types":["order.*"]},"guardrails":[
                    {"name":"refund-needs-human","decision":"ALERT","tool":"sandbox.payment.refund"}]}\
                  """));
      String secret =
          tenant
              .post("/v1/keys", "{\"name\":\"shop-agent\",\"role\":\"agent\"}")
              .path("secret")
              .textValue();
      Tenant agent = tenant.as(secret);
      String proposals = "/v1/operators/" + operator + "/plans";
      String plan = "";
      for (int at = 0; at < WAITING; at++) {
        plan = Tenant.id(agent.post(proposals, Json.write(refund(connector, "8" + at))));
      }
      String console = tenant.baseUrl() + "/console";
      String cookie = signedIn(tenant);
      ObjectNode asked =
          Json.object().put("cookie", cookie).put("url", console).put("runs", WARM + LOADS);
      asked
          .putObject("propose")
          .put("url", tenant.baseUrl() + proposals)
          .put("key", secret)
          .set("body", refund(connector, "any"));
      JsonNode measured = Lighthouse.measure(asked);
      JsonNode judged =
          Lighthouse.judge(
              cookie,
              List.of(console, console + "?plan=" + plan),
              List.of("performance", "accessibility", "best-practices"),
              JUDGED);
      return List.of(times(measured), scores(judged));
    }
  }

  private static ObjectNode refund(String connector, String order) {
    ObjectNode action =
        Json.object()
            .put("connector", connector)
            .put("tool", "sandbox.payment.refund")
            .put("idempotency_key", "refund-" + order);
    action
        .putObject("args")
        .put("order", order)
        .put("amount", "12.00")
        .put("currency", "usd")
        .put("note", "Damaged in transit");
    ObjectNode body = Json.object().put("reasoning", "It arrived broken.");
    ArrayNode actions = body.putArray("actions");
    actions.add(action);
    return body;
  }

  /** The cookie of a session that a ticket began. */
  private static String signedIn(Tenant tenant) throws Exception {
    String url = tenant.post("/v1/sign_in/tickets", "{}").path("url").textValue();
    String ticket = url.substring(url.indexOf('=') + 1);
    URI redeem = tenant.baseUrl().resolve("/v1/sign_in/tickets/redeem");
    HttpResponse<String> answer =
        tenant
            .http()
            .send(
                HttpRequest.newBuilder(redeem)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(Json.write(Json.object().put("ticket", ticket))))
                    .build(),
                BodyHandlers.ofString());
    return answer.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
  }

  private static Figures times(JsonNode measured) {
    JsonNode loads = measured.path("loads");
    JsonNode plans = measured.path("plans");
    Figures figures = new Figures("the console in a browser", "milliseconds", "p50", "p99");
    row(figures, "first load to a queue that can be used", loads, one -> one.path("ms").asDouble());
    row(
        figures,
        "a proposal's request to the plan on the screen",
        plans,
        one -> one.path("from_request").asDouble());
    row(
        figures,
        "its answer to the plan on the screen",
        plans,
        one -> one.path("from_answer").asDouble());
    return figures.note(
        "A first load takes %d bytes, headers included."
            .formatted(loads.path(loads.size() - 1).path("bytes").asInt()));
  }

  private static void row(
      Figures figures, String name, JsonNode all, ToDoubleFunction<JsonNode> of) {
    List<Double> found = new ArrayList<>();
    for (int at = WARM; at < all.size(); at++) {
      found.add(of.applyAsDouble(all.get(at)));
    }
    Percentiles percentiles = new Percentiles(found);
    figures.row(name, percentiles.at(50), percentiles.at(99));
  }

  private static Figures scores(JsonNode judged) {
    Figures figures =
        new Figures("Lighthouse", "page", "performance", "accessibility", "best practices");
    String[] names = {"queue", "plan"};
    for (int at = 0; at < judged.size(); at++) {
      JsonNode scores = judged.get(at).path("scores");
      figures.row(
          names[at],
          scores.path("performance").asInt(),
          scores.path("accessibility").asInt(),
          scores.path("best-practices").asInt());
      judged.get(at).path("wrong").forEach(wrong -> figures.note(wrong.asText()));
    }
    return figures.note("The middle of %d, as a phone on a slow network.".formatted(JUDGED));
  }
}
