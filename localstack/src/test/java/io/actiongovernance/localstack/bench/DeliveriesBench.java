package io.actiongovernance.localstack.bench;

import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.bench.Meter.Use;
import io.actiongovernance.localstack.fixture.Certificates;
import io.actiongovernance.localstack.fixture.Folders;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Store;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Webhook deliveries per second, from the receipts they tell of to the last one recorded, to a
 * receiver on this machine; beside the same number of bare ones, made in the same run by the same
 * clients, as many at once. And what a delivery asks of AWS. {@code -Dgovernance.bench.deliveries},
 * 200 in each round unless said otherwise.
 */
final class DeliveriesBench {
  private static final int ENDPOINTS = 20;
  private static final int DELIVERIES = Integer.getInteger("governance.bench.deliveries", 200);
  private static final int RECEIPTS = Math.ceilDiv(DELIVERIES, ENDPOINTS);
  private static final int ROUNDS = 2;

  /** Two lanes for each endpoint, unless the function's concurrency is less. */
  private static final int AT_ONCE =
      Math.min(2 * ENDPOINTS, Trigger.DELIVER_WEBHOOK.binding().concurrency());

  private static final Set<String> FOR_IT =
      Set.of(
          "relay-receipts",
          "fan-out",
          "deliver-webhook",
          "retry-delivery",
          "look-for-due",
          "sweep-deliveries");

  private final OwnStack stack;
  private final Postbox postbox;
  private final Tenant tenant;
  private final List<String> endpoints = new ArrayList<>();

  private DeliveriesBench(OwnStack stack, Postbox postbox) throws Exception {
    this.stack = stack;
    this.postbox = postbox;
    this.tenant = stack.newTenant("deliveries");
    for (int at = 0; at < ENDPOINTS; at++) {
      String body =
          """
          {"url":"%s","types":["receipt.written"]}
          """
              .formatted(postbox.url("/" + at));
      endpoints.add(Tenant.id(tenant.post("/v1/webhook_endpoints", body)));
    }
  }

  static List<Figures> run() throws Exception {
    Path folder = Files.createTempDirectory("bench-authority");
    Map<String, String> settings =
        Map.of("GOVERNANCE_EGRESS_CA", Certificates.writeAuthority(folder).toString());
    try (Postbox postbox = new Postbox()) {
      return List.of(rate(postbox, settings), requests(postbox, settings));
    } finally {
      Folders.delete(folder);
    }
  }

  private static Figures rate(Postbox postbox, Map<String, String> settings) throws Exception {
    Figures figures =
        new Figures(
            "webhook deliveries", "round", "per second", "floor per second", "of the floor");
    try (OwnStack stack = new OwnStack(Service.governance(), settings)) {
      DeliveriesBench bench = new DeliveriesBench(stack, postbox);
      bench.deliver(RECEIPTS);
      Wiring wiring = stack.wiring();
      try (BareDeliveries bare =
          new BareDeliveries(
              wiring.store(),
              new BareQueue(wiring.clients().sqs()),
              wiring.settings(),
              postbox.url("/bare"),
              postbox.latest())) {
        bench.bare(bare);
        for (int round = 1; round <= ROUNDS; round++) {
          double delivered = bench.deliver(RECEIPTS);
          double floor = bench.bare(bare);
          figures.row(round, delivered, floor, delivered / floor);
        }
      }
    }
    return figures.note(
        "A round is "
            + RECEIPTS
            + " receipts to "
            + ENDPOINTS
            + " endpoints. Every request is a TLS handshake, whose other side is this process too.");
  }

  private static Figures requests(Postbox postbox, Map<String, String> settings) throws Exception {
    Meter meter = new Meter();
    try (OwnStack stack = new OwnStack(PerFunction.service(meter), settings)) {
      DeliveriesBench bench = new DeliveriesBench(stack, postbox);
      bench.deliver(1);
      meter.reset();
      int before = postbox.requests();
      bench.deliver(RECEIPTS);
      int deliveries = RECEIPTS * ENDPOINTS;
      List<Use> all = meter.uses();
      long timers = all.stream().filter(use -> use.service().equals("states")).count();
      return UsesTable.of(
              "requests of a webhook delivery",
              all.stream().filter(use -> FOR_IT.contains(use.function())).toList(),
              deliveries)
          .note(
              "%d deliveries, each at its first attempt, were %d POSTs and %d requests to Step Functions."
                  .formatted(deliveries, postbox.requests() - before, timers))
          .note("What a receipt costs once is shared by the deliveries to all endpoints.");
    }
  }

  /**
   * Writes receipts and waits until every endpoint has heard of each, and that is recorded.
   *
   * @return deliveries per second
   */
  private double deliver(int receipts) throws Exception {
    Wiring wiring = stack.wiring();
    Ids ids = wiring.ids();
    int deliveries = receipts * ENDPOINTS;
    int wanted = postbox.deliveries() + deliveries;
    long began = System.nanoTime();
    for (int at = 0; at < receipts; at++) {
      write(wiring.store(), ids, tenant.partition(), at);
    }
    postbox.awaitDeliveries(wanted);
    for (String endpoint : endpoints) {
      awaitNonePending(endpoint);
    }
    return deliveries * 1e9 / (System.nanoTime() - began);
  }

  /** Writes a receipt, of which the endpoints are told that listen. */
  static void write(Store store, Ids ids, Partition partition, int number) {
    store.write(
        ReceiptLedger.append(
            new ReceiptDraft(partition, Receipt.Kind.ACTION, ReceiptOutcome.APPLIED)
                .with("entity_key", "order:" + number)
                .with("note", "n".repeat(200))
                .ok(true)
                .seal(ReceiptId.next(ids))));
  }

  private void awaitNonePending(String endpoint) throws Exception {
    String pending = "/v1/webhook_endpoints/" + endpoint + "/deliveries?status=pending&limit=1";
    while (!tenant.get(pending).path("data").isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private double bare(BareDeliveries bare) throws Exception {
    int deliveries = RECEIPTS * ENDPOINTS;
    long began = System.nanoTime();
    Parallel.run(
        deliveries,
        AT_ONCE,
        at -> {
          if (at % ENDPOINTS == 0) {
            bare.fact();
          }
          bare.delivery();
        });
    return deliveries * 1e9 / (System.nanoTime() - began);
  }
}
