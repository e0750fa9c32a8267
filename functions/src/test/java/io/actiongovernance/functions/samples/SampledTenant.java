package io.actiongovernance.functions.samples;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Samples;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Fact;
import io.actiongovernance.functions.trigger.FactType;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** A new tenant of a {@link SampleService}, for which triggers have work too. Not thread-safe. */
final class SampledTenant implements SampleTenant {
  private static final int NOT_FOUND = 404;

  /** Of the statuses of what is refused, the first digit. */
  private static final int REFUSED = 4;

  private final SampleService service;
  private final Partition partition;
  private final String key;
  private final SampleRequests samples;
  private final SamplePeople people;
  private int asked;

  SampledTenant(SampleService service) {
    this.service = service;
    this.samples = new SampleRequests(service.routes(), this, service.sourceSystem()::url);
    this.people = new SamplePeople(service, samples);
    JsonNode tenant =
        Json.tree(
            Objects.requireNonNull(service.event(Trigger.CREATE_TENANT, Map.of("name", "acme"))));
    this.partition = new Partition(new TenantId(tenant.path("tenant_id").textValue()), Mode.LIVE);
    this.key = tenant.at("/keys/live").textValue();
  }

  /** Goes to a path that there is not. */
  void goAstray() {
    var unused =
        answer(
            new APIGatewayProxyRequestEvent().withHttpMethod("GET").withPath("/v1/no-such-path"),
            key,
            status -> status == NOT_FOUND);
  }

  /** Makes a request to the route, as a key or as the people whose it is. */
  void live(Route route) {
    switch (route.operation()) {
      case "create-passkey-challenge", "enrol-passkey" -> people.enrol();
      case "sign-in-by-passkey" -> people.signIn();
      case "delete-passkey" -> {
        Map<String, String> named = Map.of("passkey_id", people.passkey());
        var unused = answer(new SampleRequest(route, named, Map.of(), null, null));
      }
      case "create-approval-challenge" -> people.askToApprove();
      case "withdraw-vote" -> people.withdraw();
      case "approve-plan" -> {
        samples.send(route);
        people.approve();
      }
      case "complete-authorization" -> people.authorize();
      // There is nobody at the issuer.
      case "complete-sign-in" -> {
        var unused = answer(event(samples.request(route)), key, status -> status / 100 == REFUSED);
      }
      default -> samples.send(route);
    }
  }

  /** Makes a request to the route, and keeps it; of one that only people make, what it is like. */
  Sample sample(Route route) {
    SampleRequest request = samples.request(route);
    return new Sample(
        request, SampleRequests.isOfPeople(route) ? described(route) : answer(request));
  }

  private static String described(Route route) {
    Operation operation =
        Objects.requireNonNull(route.handlerType().getAnnotation(Operation.class));
    return Json.write(Samples.answer(operation.answer()));
  }

  /** Has happen what the trigger's function is for. */
  void live(Trigger trigger) {
    switch (trigger) {
      // Every tenant begins with it.
      case CREATE_TENANT -> service.event(trigger, Map.of("name", "acme"));
      case RECOVER_CLAIMS ->
          service.event(
              trigger,
              Map.of("partition", partition.key(), "since", service.clock().instant().toString()));
      case RELAY_STATE, RELAY_OUTCOMES -> relay(trigger, Table.STATE);
      case RELAY_EVENTS -> relay(trigger, Table.EVENTS);
      case RELAY_RECEIPTS, EXPORT_SPANS -> relay(trigger, Table.RECEIPTS);
      case PROPOSE -> {
        id("operator_id");
        fact(trigger, FactType.ENVELOPE_INGESTED, id("event_id"));
      }
      // What a plan dispatches is executed at once, after it was looked after as given up.
      case EXECUTE_ACTION, GIVE_UP_ACTION -> id("action_id");
      case PROPOSE_AGAIN -> fact(trigger, FactType.ENVELOPE_INGESTED, id("event_id"));
      case RESUME -> service.message(trigger, Json.write(names(Map.of("plan_id", id("plan_id")))));
      case RUN_EXPORT -> fact(trigger, FactType.EXPORT_REQUESTED, id("export_id"));
      case FAN_OUT -> {
        id("endpoint_id");
        fact(trigger, FactType.PLAN_PROPOSED, id("plan_id"));
      }
      // A test is attempted at once.
      case DELIVER_WEBHOOK -> id("delivery_id");
      case RETRY_DELIVERY ->
          service.event(
              trigger,
              names(Map.of("delivery_id", id("delivery_id"), "endpoint_id", id("endpoint_id"))));
      case FOLLOW_PLANS -> fact(trigger, FactType.PLAN_CLOCK_STARTED, id("plan_id"));
      case EXPIRE_PLAN -> service.event(trigger, names(Map.of("plan_id", id("plan_id"))));
      case SWEEP, SWEEP_DELIVERIES, RUN_DUE_OPERATORS -> {
        id("action_id");
        IntStream.range(0, DueIndex.SHARDS)
            .forEach(shard -> service.message(trigger, SqsSweeps.body(shard)));
      }
      case LOOK_FOR_DUE -> service.event(trigger, Map.of());
      // Nobody waits for what was given up, and it would read a bucket.
      case RELAY_AGAIN -> {}
    }
  }

  private Map<String, Object> names(Map<String, String> ids) {
    Map<String, Object> names = new HashMap<>(ids);
    names.put("partition", partition.key());
    return names;
  }

  private void fact(Trigger trigger, FactType type, String id) {
    service.message(
        trigger,
        new Fact("samples", type, partition.key(), id, "1", service.clock().instant(), null)
            .detail());
  }

  /** Relays all that a table holds of the tenant, of which an endpoint hears. */
  private void relay(Trigger trigger, Table table) {
    id("endpoint_id");
    id("event_id");
    id("action_id");
    service.relay(trigger, table, partition.tenant());
  }

  private String id(String parameter) {
    return samples.id(parameter);
  }

  @Override
  public String answer(SampleRequest request) {
    String secret = request.secret();
    return answer(event(request), secret == null ? key : secret, status -> status / 100 < REFUSED);
  }

  private static APIGatewayProxyRequestEvent event(SampleRequest request) {
    Route route = request.route();
    return new APIGatewayProxyRequestEvent()
        .withHttpMethod(route.method().name())
        .withResource(route.path())
        .withPath(request.path())
        .withQueryStringParameters(request.query())
        .withBody(request.body());
  }

  /** Whatever goes on by itself has done so when a request is answered. */
  @Override
  public void await(BooleanSupplier condition) {
    if (!condition.getAsBoolean()) {
      throw new IllegalStateException("What was to come to pass has not.");
    }
  }

  private String answer(APIGatewayProxyRequestEvent request, String secret, IntPredicate expected) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Authorization", "Bearer " + secret);
    headers.put("Content-Type", "application/json");
    headers.put("Idempotency-Key", Integer.toString(++asked));
    APIGatewayProxyResponseEvent answer = service.request(request.withHeaders(headers));
    if (!expected.test(answer.getStatusCode())) {
      throw new IllegalStateException(
          "%s %s was answered %s: %s"
              .formatted(
                  request.getHttpMethod(),
                  request.getPath(),
                  answer.getStatusCode(),
                  answer.getBody()));
    }
    return answer.getBody();
  }
}
