package io.actiongovernance.functions.webhook;

import static io.actiongovernance.functions.rights.Needs.MANAGE;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sealing;
import static io.actiongovernance.functions.rights.Rights.sending;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of webhook endpoints and their deliveries. */
public final class WebhookRoutes {
  public static final Route CREATE_WEBHOOK_ENDPOINT =
      Route.post("create-webhook-endpoint", "/v1/webhook_endpoints")
          .key(Scope.WEBHOOKS_WRITE, RateClass.MANAGEMENT)
          .replayedToWhoAsked()
          .needs(MANAGE.and(on(LIMITS, READ, UPDATE, DELETE)).and(sealing(Purpose.WEBHOOK_SECRET)))
          .handledBy(
              () -> CreateEndpointHandler.class,
              wiring -> {
                WebhookWiring webhooks = new WebhookWiring(wiring);
                return new CreateEndpointHandler(webhooks.manage(), webhooks.endpointViews());
              });

  public static final Route LIST_WEBHOOK_ENDPOINTS =
      Route.get("list-webhook-endpoints", "/v1/webhook_endpoints")
          .key(Scope.WEBHOOKS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE, LIMITS))
          .handledBy(
              () -> ListEndpointsHandler.class,
              wiring -> {
                WebhookWiring webhooks = new WebhookWiring(wiring);
                return new ListEndpointsHandler(webhooks.endpoints(), webhooks.endpointViews());
              });

  public static final Route RETRIEVE_WEBHOOK_ENDPOINT =
      Route.get("retrieve-webhook-endpoint", "/v1/webhook_endpoints/{endpoint_id}")
          .key(Scope.WEBHOOKS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE, LIMITS))
          .handledBy(
              () -> RetrieveEndpointHandler.class,
              wiring -> {
                WebhookWiring webhooks = new WebhookWiring(wiring);
                return new RetrieveEndpointHandler(webhooks.endpoints(), webhooks.endpointViews());
              });

  public static final Route UPDATE_WEBHOOK_ENDPOINT =
      Route.patch("update-webhook-endpoint", "/v1/webhook_endpoints/{endpoint_id}")
          .key(Scope.WEBHOOKS_WRITE, RateClass.MANAGEMENT)
          .replayedToWhoAsked()
          .needs(MANAGE.and(on(LIMITS, READ, UPDATE, DELETE)).and(sealing(Purpose.WEBHOOK_SECRET)))
          .handledBy(
              () -> UpdateEndpointHandler.class,
              wiring -> {
                WebhookWiring webhooks = new WebhookWiring(wiring);
                return new UpdateEndpointHandler(webhooks.manage(), webhooks.endpointViews());
              });

  public static final Route DELETE_WEBHOOK_ENDPOINT =
      Route.delete("delete-webhook-endpoint", "/v1/webhook_endpoints/{endpoint_id}")
          .key(Scope.WEBHOOKS_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE.and(on(LIMITS, READ, UPDATE, DELETE)))
          .handledBy(
              () -> DeleteEndpointHandler.class,
              wiring -> new DeleteEndpointHandler(new WebhookWiring(wiring).manage()));

  public static final Route TEST_WEBHOOK_ENDPOINT =
      Route.post("test-webhook-endpoint", "/v1/webhook_endpoints/{endpoint_id}/test")
          .key(Scope.WEBHOOKS_WRITE, RateClass.TRIAL)
          .needs(on(STATE, READ, PUT, UPDATE).and(reading(LIMITS)).and(sending(Queue.ATTEMPTS)))
          .handledBy(
              () -> TestEndpointHandler.class,
              wiring -> new TestEndpointHandler(new WebhookWiring(wiring).redeliver()));

  public static final Route RECOVER_WEBHOOK_ENDPOINT =
      Route.post("recover-webhook-endpoint", "/v1/webhook_endpoints/{endpoint_id}/recover")
          .key(Scope.WEBHOOKS_WRITE, RateClass.MANAGEMENT)
          .needs(on(STATE, READ, PUT, UPDATE).and(reading(LIMITS)).and(sending(Queue.ATTEMPTS)))
          .handledBy(
              () -> RecoverEndpointHandler.class,
              wiring -> new RecoverEndpointHandler(new WebhookWiring(wiring).redeliver()));

  public static final Route LIST_DELIVERIES =
      Route.get("list-deliveries", "/v1/webhook_endpoints/{endpoint_id}/deliveries")
          .key(Scope.WEBHOOKS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> ListDeliveriesHandler.class,
              wiring -> new ListDeliveriesHandler(new WebhookWiring(wiring).deliveries()));

  public static final Route RETRIEVE_DELIVERY =
      Route.get("retrieve-delivery", "/v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}")
          .key(Scope.WEBHOOKS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveDeliveryHandler.class,
              wiring -> new RetrieveDeliveryHandler(new WebhookWiring(wiring).deliveries()));

  public static final Route REDELIVER =
      Route.post(
              "redeliver", "/v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver")
          .key(Scope.WEBHOOKS_WRITE, RateClass.MANAGEMENT)
          .needs(on(STATE, READ, PUT, UPDATE).and(reading(LIMITS)).and(sending(Queue.ATTEMPTS)))
          .handledBy(
              () -> RedeliverHandler.class,
              wiring -> new RedeliverHandler(new WebhookWiring(wiring).redeliver()));

  private WebhookRoutes() {}

  public static List<Route> all() {
    return List.of(
        CREATE_WEBHOOK_ENDPOINT,
        LIST_WEBHOOK_ENDPOINTS,
        RETRIEVE_WEBHOOK_ENDPOINT,
        UPDATE_WEBHOOK_ENDPOINT,
        DELETE_WEBHOOK_ENDPOINT,
        TEST_WEBHOOK_ENDPOINT,
        RECOVER_WEBHOOK_ENDPOINT,
        LIST_DELIVERIES,
        RETRIEVE_DELIVERY,
        REDELIVER);
  }
}
