package io.actiongovernance.localstack.bench;

import static io.actiongovernance.store.Condition.always;

import com.standardwebhooks.Webhook;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.TrustedRoots;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The floor of deliveries: a signed POST each by the client that deliveries go by, and the store
 * and queue calls that their design needs, with items of the same size and nothing else.
 * Thread-safe.
 */
final class BareDeliveries implements AutoCloseable {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLasw";
  private static final Duration WITHIN = Duration.ofSeconds(10);

  private final Store store;
  private final BareQueue queue;
  private final OutboundClient client;
  private final URI url;
  private final String body;

  /**
   * @param body of a delivery as it was received
   */
  BareDeliveries(Store store, BareQueue queue, Settings settings, String url, String body) {
    this.store = store;
    this.queue = queue;
    this.client =
        new OutboundClient(
            new EgressGuard(settings.egressAllow()), TrustedRoots.tls(settings.egressCa()));
    this.url = URI.create(url);
    this.body = body;
  }

  /** What a fact asks for once, however many endpoints hear of it. */
  void fact() {
    String id = UUID.randomUUID().toString();
    store.write(Write.insert(Item.at(key(id, "fact")).with("doc", body).build()));
    queue.through(id);
    store.query(Query.of(Table.STATE, "bench#endpoints"));
    store.get(key(id, "fact"));
    store.getAll(List.of(key("health", "endpoint")));
  }

  /** What each delivery asks for. */
  void delivery() throws Exception {
    String id = UUID.randomUUID().toString();
    Key key = key(id, "delivery");
    store.write(
        Write.insert(
            Item.at(key)
                .with("data", body)
                .with("ordered", id)
                .with("by_status", "bench#pending")
                .with("due_shard", "bench#due")
                .with("due", id)
                .build()));
    queue.through(id);
    store.get(key);
    store.get(key("endpoint", "endpoint"));
    store.write(Write.update(key, always(), Change.set("due", id + "#begun")));
    post(id);
    store.write(
        Write.update(
            key,
            always(),
            Change.set("by_status", "bench#succeeded"),
            Change.remove("due"),
            Change.remove("due_shard")));
    store.write(
        Write.update(
            Key.single(Table.LIMITS, "bench#health"), always(), Change.add("deliveries", 1)));
  }

  private void post(String id) throws Exception {
    long second = Instant.now().getEpochSecond();
    Webhook signer = new Webhook(SECRET);
    Map<String, String> headers =
        Map.of(
            "Service-Signature",
            "t=" + second + ",v1=" + signer.sign("", second, body),
            "webhook-id",
            id,
            "webhook-timestamp",
            Long.toString(second),
            "webhook-signature",
            signer.sign(id, second, body));
    Exchange exchange = client.exchange(new Outbound("POST", url, headers, body), WITHIN);
    if (!(exchange instanceof Exchange.Answered answered) || answered.status() >= 300) {
      throw new IllegalStateException("A bare POST came to " + exchange);
    }
  }

  private static Key key(String id, String range) {
    return new Key(Table.STATE, "bench#" + id, range);
  }

  @Override
  public void close() {
    client.close();
  }
}
