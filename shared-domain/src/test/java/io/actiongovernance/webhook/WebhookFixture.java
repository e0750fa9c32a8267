package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Given;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.InMemoryTimers;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Webhooks over a store in memory, an endpoint that answers as it is told, and time that is set.
 */
final class WebhookFixture implements WebhookSender, DeliveryQueue, ObjectReader {
  Instant now = Instant.parse("2026-11-20T12:00:00Z");
  final Deque<Reply> replies = new ArrayDeque<>();
  final List<String> posted = new ArrayList<>();
  final List<Delivery> sent = new ArrayList<>();
  final InMemoryTimers timers = new InMemoryTimers();
  final Ids ids = new Ids(() -> now, new Random(1));
  final Partition partition = new Partition(new TenantId("t_" + ids.next()), Mode.LIVE);
  final Caller caller =
      new Caller(RequestId.next(ids), partition, null, KeyId.next(ids), "key", Set.of(), null);
  final Store store;
  final Endpoints endpoints;
  final DestinationHealth health;
  final ManageEndpoints manage;
  final Deliveries deliveries;
  final CreateDeliveries create;
  final AttemptDelivery attempt;
  final SweepDeliveries sweep;
  ObjectNode object = Json.object().put("id", "rc_1").put("object", "receipt");

  /** Runs when a request is made, before it is answered. */
  Runnable meanwhile = () -> {};

  WebhookFixture(UnaryOperator<Store> bend) {
    store = bend.apply(new InMemoryStore());
    Sealer sealer = new Sealer(List.of(new byte[32]), new SecureRandom());
    Random random = new Random(2);
    RetryProfile profile =
        new RetryProfile(List.of(Duration.ZERO, Duration.ofSeconds(30), Duration.ofMinutes(2)));
    RetryTimers retries = new RetryTimers(profile, timers, random);
    EndpointSecrets secrets = new EndpointSecrets(sealer, random);
    endpoints = new Endpoints(store);
    health = new DestinationHealth(store);
    manage =
        new ManageEndpoints(
            endpoints,
            health,
            secrets,
            new Transactions(store, _ -> {}, random),
            new ManageEndpoints.Terms(
                _ -> Optional.empty(),
                Duration.ofDays(1),
                (endpoint, known) ->
                    Json.object()
                        .put("url", endpoint.url())
                        .put("status", endpoint.status().wire())),
            () -> now);
    deliveries = new Deliveries(store, endpoints, () -> now);
    create =
        new CreateDeliveries(
            endpoints, health, this, new BeginDelivery(store, this, retries, () -> now));
    attempt =
        new AttemptDelivery(
            store,
            new DestinationTypes(
                new EndpointDestination(endpoints, new PostDelivery(secrets, this), manage),
                (_, _) -> Optional.empty()),
            new WatchDestination(health),
            retries,
            () -> now);
    sweep = new SweepDeliveries(store, health, this, () -> now);
  }

  WebhookFixture() {
    this(store -> store);
  }

  /** Has the sweeper look at all that is due; answers how many attempts it has had made. */
  int sweep() {
    return IntStream.range(0, DueIndex.SHARDS).map(sweep::sweep).sum();
  }

  Endpoint endpoint() {
    NewEndpoint wanted =
        new NewEndpoint(
            "https://hooks.example/" + ids.next(),
            List.of(DeliveryType.RECEIPT_WRITTEN),
            null,
            null);
    return Outcomes.done(manage.create(caller, EndpointId.next(ids), wanted)).endpoint();
  }

  /** A change of the status alone. */
  static EndpointChange to(EndpointStatus status) {
    return new EndpointChange(null, null, Given.absent(), status, false, null);
  }

  /** A change of the secret alone. */
  static EndpointChange rotation() {
    return new EndpointChange(null, null, Given.absent(), null, true, null);
  }

  void happens(String fact) {
    create.of(
        new CreateDeliveries.Happening(partition, DeliveryType.RECEIPT_WRITTEN, "rc_1", fact, now));
  }

  void attempt(Endpoint endpoint, DeliveryId id) {
    attempt.attempt(partition, endpoint.id(), id);
  }

  Delivery delivery(Endpoint endpoint, DeliveryId id) {
    return deliveries.find(partition, endpoint.id(), id).orElseThrow();
  }

  Endpoint read(Endpoint endpoint) {
    return endpoints.find(partition, endpoint.id()).orElseThrow();
  }

  void passes(Duration time) {
    now = now.plus(time);
  }

  void answers(int... statuses) {
    for (int status : statuses) {
      replies.add(new Reply.Answered(status, null));
    }
  }

  @Override
  public Reply post(URI url, Map<String, String> headers, String body, Duration within) {
    posted.add(body);
    meanwhile.run();
    Reply next = replies.poll();
    return next == null ? new Reply.Answered(200, null) : next;
  }

  @Override
  public void send(Delivery delivery, String lane, long number) {
    sent.add(delivery);
  }

  @Override
  public Optional<Described> read(Partition of, DeliveryType type, String id) {
    return Optional.of(new Described(object, null, null, null));
  }

  @Override
  public ObjectNode sample(DeliveryType type) {
    return object;
  }

  static @Nullable String error(Delivery delivery, int at) {
    return delivery.attempts().get(at).error();
  }
}
