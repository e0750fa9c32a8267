package io.actiongovernance.localstack.listen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.localstack.client.Api;
import io.actiongovernance.localstack.listen.Position.Listed;
import io.actiongovernance.time.Timestamps;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.SignedDelivery;
import io.actiongovernance.webhook.SigningSecret;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;

/**
 * Checks once a second how plans and actions have changed, and forwards a delivery for each change,
 * until it is interrupted. It survives restarts of the service and of the receiver. Nothing is left
 * out. A repeated delivery has the same {@code dlv_} id, because the id is derived from the change.
 */
public final class Listener {
  /** Delivery types that can be made from the lists of the API. */
  public static final Set<DeliveryType> TYPES =
      EnumSet.of(
          DeliveryType.PLAN_PROPOSED,
          DeliveryType.ACTION_NEEDS_APPROVAL,
          DeliveryType.ACTION_DISPOSED,
          DeliveryType.PLAN_DISPOSED);

  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration THOROUGH = Duration.ofMinutes(1);

  private final Api api;
  private final Set<DeliveryType> types;
  private final Forwarder forwarder;
  private final Reports reports;
  private final EndpointId endpoint;
  private final Position proposed;
  private final Position disposed;
  private final DisposedPlans plans;
  private long nextThorough = System.nanoTime();

  /**
   * @param since earliest time of the changes to forward, by the service's clock
   */
  public record Options(Set<DeliveryType> types, URI target, SigningSecret secret, Instant since) {
    public Options {
      types = Set.copyOf(types);
    }
  }

  public interface Reports {
    void attempted(Attempt attempt);

    void say(String line);
  }

  /**
   * @param status HTTP status of the answer, or 0 if the exchange failed
   * @param last whether no other attempt follows
   */
  public record Attempt(
      SignedDelivery.Message told,
      String objectId,
      int attempt,
      int status,
      boolean ok,
      boolean last) {}

  public Listener(Api api, Options options, Reports reports, InstantSource clock) {
    this.api = api;
    this.types = options.types();
    this.reports = reports;
    this.forwarder = new Forwarder(options.target(), options.secret(), reports, clock);
    // No endpoint was created, so an id is derived from the address. Delivery ids then survive a
    // restart.
    this.endpoint =
        new EndpointId(EndpointId.PREFIX + Ids.derived(Instant.EPOCH, options.target().toString()));
    this.proposed = new Position("/v1/plans", "proposed_at", options.since());
    this.disposed = new Position("/v1/actions", "disposed_at", options.since());
    this.plans = new DisposedPlans(options.since());
  }

  /**
   * Forwards until the thread is interrupted.
   *
   * @throws Api.Refused if the service refuses permanently
   */
  public void listen() throws Api.Refused, InterruptedException {
    boolean lost = false;
    while (true) {
      try {
        look();
        lost = false;
      } catch (Api.Refused e) {
        if (e.forGood()) {
          throw e;
        }
        reports.say(String.valueOf(e.getMessage()));
        Thread.sleep(e.retryAfter());
      } catch (IOException e) {
        if (!lost) {
          reports.say("No connection to " + api.baseUrl() + "; trying again …");
          lost = true;
        }
      }
      Thread.sleep(LOOK);
    }
  }

  private void look() throws IOException, InterruptedException {
    boolean thorough = System.nanoTime() - nextThorough >= 0;
    if (wanted(DeliveryType.PLAN_PROPOSED) || wanted(DeliveryType.ACTION_NEEDS_APPROVAL)) {
      for (Listed plan : proposed.unhandled(api, thorough)) {
        tellProposed(plan);
        proposed.handled(plan);
      }
    }
    if (wanted(DeliveryType.ACTION_DISPOSED)) {
      for (Listed action : disposed.unhandled(api, thorough)) {
        deliver(DeliveryType.ACTION_DISPOSED, object("/v1/actions/" + action.id()), action.at());
        disposed.handled(action);
      }
    }
    if (wanted(DeliveryType.PLAN_DISPOSED)) {
      for (ObjectNode plan : plans.look(api, thorough)) {
        deliver(
            DeliveryType.PLAN_DISPOSED, plan, Timestamps.read(plan.path("disposed_at").asText()));
        plans.told(plan.path("id").asText());
      }
    }
    if (thorough) {
      nextThorough = System.nanoTime() + THOROUGH.toNanos();
    }
  }

  /** Delivers a plan, and its actions that a person must approve. */
  private void tellProposed(Listed listed) throws IOException, InterruptedException {
    ObjectNode plan = object("/v1/plans/" + listed.id());
    if (wanted(DeliveryType.PLAN_PROPOSED)) {
      deliver(DeliveryType.PLAN_PROPOSED, plan, listed.at());
    }
    if (wanted(DeliveryType.ACTION_NEEDS_APPROVAL)) {
      for (JsonNode action : plan.path("actions")) {
        if (action.at("/verdict/decision").asText().equals("ALERT")) {
          deliver(
              DeliveryType.ACTION_NEEDS_APPROVAL,
              object("/v1/actions/" + action.path("id").asText()),
              listed.at());
        }
      }
    }
  }

  private boolean wanted(DeliveryType type) {
    return types.contains(type);
  }

  private ObjectNode object(String path) throws IOException, InterruptedException {
    if (api.get(path) instanceof ObjectNode object) {
      return object;
    }
    throw new IOException("What is at " + path + " is not an object.");
  }

  private void deliver(DeliveryType type, ObjectNode object, Instant at)
      throws InterruptedException {
    String id = object.path("id").asText();
    DeliveryId delivery =
        new DeliveryId(
            DeliveryId.PREFIX + Ids.derived(at, endpoint.value() + "\n" + type.wire() + "\n" + id));
    forwarder.deliver(SignedDelivery.Message.of(delivery, endpoint, type, object), id);
  }
}
