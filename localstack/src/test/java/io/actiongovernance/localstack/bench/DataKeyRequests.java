package io.actiongovernance.localstack.bench;

import io.actiongovernance.access.DataKeys;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.Meter.Use;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What data keys take at the worst: every step in processes that have not met its tenant for as
 * long as an opened key is used, so that each asks KMS again. The connector has credentials, and
 * requests come under an idempotency key. Not thread-safe.
 */
final class DataKeyRequests {
  private static final int TIMES = 5;

  /** Longer than an opened key is used. */
  private static final Duration OLD = Duration.ofMinutes(6);

  private static final String CREDENTIALS =
      """
      {"type":"bearer","token":"of-the-source-system"}
      """;

  private final Meter meter = new Meter();
  private final Loop loop;
  private final Postbox postbox;
  private final SingleActions actions;

  private DataKeyRequests(Postbox postbox, Map<String, String> settings) throws Exception {
    this.loop = new Loop(PerFunction.service(meter), settings, CREDENTIALS);
    this.postbox = postbox;
    this.actions = new SingleActions(loop, () -> meter.uses().size());
  }

  private interface Act {
    void once(int at) throws Exception;
  }

  /** What steps take for one time, by their names. */
  static Map<String, Bill> atWorst(Postbox postbox, Map<String, String> settings) throws Exception {
    Map<String, String> sealing = new HashMap<>(settings);
    sealing.put(Settings.DATA_KEYS, "seal");
    DataKeyRequests requests = new DataKeyRequests(postbox, sealing);
    try (requests.loop) {
      return requests.bills();
    }
  }

  private Map<String, Bill> bills() throws Exception {
    Map<String, Bill> bills = new LinkedHashMap<>();
    bills.put("data keys at the worst, of an unheld action", counted(this::unheld));
    bills.put("data keys at the worst, held and approved", counted(this::held));
    loop.post(
        "/v1/webhook_endpoints",
        """
        {"url":"%s","types":["receipt.written"]}
        """
            .formatted(postbox.url("/")));
    bills.put("data keys at the worst, of a webhook delivery", counted(this::delivery));
    return bills;
  }

  /** The first time makes the keys. */
  private Bill counted(Act act) throws Exception {
    act.once(-1);
    meter.reset();
    for (int at = 0; at < TIMES; at++) {
      meter.pass(OLD);
      act.once(at);
    }
    List<Use> uses = meter.uses();
    double asked = uses.stream().filter(use -> use.service().equals("kms")).count();
    double read =
        uses.stream()
            .flatMap(use -> use.units().stream())
            .filter(units -> units.key().endsWith("#" + DataKeys.PART))
            .mapToDouble(KeyUnits::reads)
            .sum();
    return new Bill().add(Billed.KEY_REQUEST, asked / TIMES).add(Billed.READ_UNIT, read / TIMES);
  }

  private void unheld(int at) throws Exception {
    loop.awaitPlan(ingested("note.wanted", "unheld" + at), "executed");
    quiet();
  }

  private void held(int at) throws Exception {
    String plan = loop.awaitPlan(ingested("note.considered", "held" + at), "proposed");
    quiet();
    once("/v1/plans/" + plan + "/approve", "{}");
    quiet();
  }

  private void delivery(int at) throws Exception {
    int wanted = postbox.deliveries() + 1;
    DeliveriesBench.write(loop.store(), loop.wiring().ids(), loop.tenant().partition(), at + 2);
    postbox.awaitDeliveries(wanted);
    quiet();
  }

  private void quiet() throws InterruptedException {
    actions.awaitQuiet();
  }

  private String ingested(String type, String entity) throws Exception {
    String body =
        """
        {"source":"bench","event_type":"%s","payload":{"entity":"%s","text":"a note"}}
        """
            .formatted(type, entity);
    return Json.read(once("/v1/events", body)).path("id").textValue();
  }

  /** Posts under an idempotency key. */
  private String once(String path, String body) throws Exception {
    HttpResponse<String> answer =
        loop.tenant()
            .http()
            .send(
                loop.tenant()
                    .request(path)
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", UUID.randomUUID().toString())
                    .POST(BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IllegalStateException(path + " answered " + answer.body());
    }
    return answer.body();
  }
}
