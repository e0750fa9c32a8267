package io.actiongovernance.functions.rehearsal;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Samples;
import io.actiongovernance.functions.day.Day;
import io.actiongovernance.functions.day.GoodRequest;
import io.actiongovernance.functions.day.Recorded;
import io.actiongovernance.functions.day.Tenant;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Fact;
import io.actiongovernance.functions.trigger.FactType;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** A day of a new tenant on a {@link Stage}, on which triggers have work too. Not thread-safe. */
final class RehearsedDay implements Tenant {
  private static final int NOT_FOUND = 404;

  /** Of the statuses of what is refused, the first digit. */
  private static final int REFUSED = 4;

  private final Stage stage;
  private final Partition partition;
  private final String key;
  private final Day day;
  private final RehearsedPeople people;
  private int asked;

  RehearsedDay(Stage stage) {
    this.stage = stage;
    this.day = new Day(stage.routes(), this, stage.sourceSystem());
    this.people = new RehearsedPeople(stage, day);
    JsonNode tenant = Json.tree(stage.event(Trigger.CREATE_TENANT, Map.of("name", "rehearsal")));
    this.partition = new Partition(new TenantId(tenant.path("tenant_id").textValue()), Mode.LIVE);
    this.key = tenant.at("/keys/live").textValue();
  }

  /** Goes to a path that there is not. */
  void goAstray() {
    var unused =
        answer(
            new APIGatewayProxyRequestEvent().withHttpMethod("GET").withPath("/v1/rehearsal"),
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
        var unused = answer(new GoodRequest(route, named, Map.of(), null, null));
      }
      case "create-approval-challenge" -> people.askToApprove();
      case "withdraw-vote" -> people.withdraw();
      case "approve-plan" -> {
        day.live(route);
        people.approve();
      }
      case "complete-authorization" -> people.authorize();
      // There is nobody at the issuer.
      case "complete-sign-in" -> {
        var unused = answer(event(day.request(route)), key, status -> status / 100 == REFUSED);
      }
      default -> day.live(route);
    }
  }

  /** Makes a request to the route, and keeps it; of one that only people make, what it is like. */
  Recorded recorded(Route route) {
    GoodRequest request = day.request(route);
    return new Recorded(request, Day.isOfPeople(route) ? sample(route) : answer(request));
  }

  private static String sample(Route route) {
    Operation operation =
        Objects.requireNonNull(route.handlerType().getAnnotation(Operation.class));
    return Json.write(Samples.answer(operation.answer()));
  }

  /** Has happen what the trigger's function is for. */
  void live(Trigger trigger) {
    switch (trigger) {
      // The day has begun with it.
      case CREATE_TENANT -> {}
      case RECOVER_CLAIMS ->
          stage.event(
              trigger,
              Map.of("partition", partition.key(), "since", stage.clock().instant().toString()));
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
      case RESUME -> stage.message(trigger, Json.write(names(Map.of("plan_id", id("plan_id")))));
      case RUN_EXPORT -> fact(trigger, FactType.EXPORT_REQUESTED, id("export_id"));
      case FAN_OUT -> {
        id("endpoint_id");
        fact(trigger, FactType.PLAN_PROPOSED, id("plan_id"));
      }
      // A test is attempted at once.
      case DELIVER_WEBHOOK -> id("delivery_id");
      case RETRY_DELIVERY ->
          stage.event(
              trigger,
              names(Map.of("delivery_id", id("delivery_id"), "endpoint_id", id("endpoint_id"))));
      case FOLLOW_PLANS -> fact(trigger, FactType.PLAN_CLOCK_STARTED, id("plan_id"));
      case EXPIRE_PLAN -> stage.event(trigger, names(Map.of("plan_id", id("plan_id"))));
      case SWEEP, SWEEP_DELIVERIES, RUN_DUE_OPERATORS -> {
        id("action_id");
        IntStream.range(0, DueIndex.SHARDS)
            .forEach(shard -> stage.message(trigger, SqsSweeps.body(shard)));
      }
      case LOOK_FOR_DUE -> stage.event(trigger, Map.of());
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
    stage.message(
        trigger,
        new Fact("rehearsal", type, partition.key(), id, "1", stage.clock().instant(), null)
            .detail());
  }

  /** Relays all that a table has come to hold, of which an endpoint hears. */
  private void relay(Trigger trigger, Table table) {
    id("endpoint_id");
    id("event_id");
    id("action_id");
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(stage.store().everything(table).stream().map(RehearsedDay::inserted).toList());
    StreamsEventResponse answer = (StreamsEventResponse) stage.event(trigger, event);
    if (!answer.getBatchItemFailures().isEmpty()) {
      throw new IllegalStateException(trigger + " could not relay what is in " + table);
    }
  }

  private static DynamodbStreamRecord inserted(Item item) {
    Map<String, AttributeValue> image = new HashMap<>();
    Attributes.of(item)
        .forEach(
            (name, value) ->
                image.put(
                    name,
                    new AttributeValue()
                        .withS(value.s())
                        .withN(value.n())
                        .withB(value.b() == null ? null : value.b().asByteBuffer())
                        .withSS(value.hasSs() ? value.ss() : null)));
    DynamodbStreamRecord change = new DynamodbStreamRecord();
    change.setEventID("rehearsal");
    change.setEventName("INSERT");
    change.setDynamodb(new StreamRecord().withNewImage(image).withSequenceNumber("1"));
    return change;
  }

  private String id(String parameter) {
    return day.id(parameter);
  }

  @Override
  public String answer(GoodRequest request) {
    String secret = request.secret();
    return answer(event(request), secret == null ? key : secret, status -> status / 100 < REFUSED);
  }

  private static APIGatewayProxyRequestEvent event(GoodRequest request) {
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
    APIGatewayProxyResponseEvent answer = stage.request(request.withHeaders(headers));
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
