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
import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Fact;
import io.actiongovernance.functions.trigger.FactType;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.upstream.ConnectorWiring;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A day of a new tenant: whatever a route or a trigger is about is made before, by the routes that
 * make it. Not thread-safe.
 */
final class Day {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  private static final int NOT_FOUND = 404;

  private final Stage stage;
  private final Bodies bodies;
  private final Partition partition;
  private final String key;
  private final Map<String, String> made = new HashMap<>();
  private @Nullable String approver;
  private int asked;

  Day(Stage stage) {
    this.stage = stage;
    this.bodies = new Bodies(this::id, stage.sourceSystem(), stage.clock());
    JsonNode tenant = Json.tree(stage.event(Trigger.CREATE_TENANT, Map.of("name", "rehearsal")));
    this.partition = new Partition(new TenantId(tenant.path("tenant_id").textValue()), Mode.LIVE);
    this.key = tenant.at("/keys/live").textValue();
  }

  /** Goes to a path that there is not. */
  void goAstray() {
    answer(
        new APIGatewayProxyRequestEvent().withHttpMethod("GET").withPath("/v1/rehearsal"),
        status -> status == NOT_FOUND);
  }

  /** Makes a request to the route. */
  void live(Route route) {
    switch (route.operation()) {
      case "publish-operator" ->
          made.put("operator_id", make(route("create-operator"), bodies.draft()));
      case "resume-operator" -> ask(route("pause-operator"));
      case "authorize-connector", "complete-authorization" ->
          made.put("connector_id", make(route("install-connector"), bodies.unauthorized()));
      case "list-plans", "list-actions", "list-receipts", "retrieve-allowance" -> id("action_id");
      case "resolve-action" -> made.put("action_id", proposed(bodies.unanswered()));
      case "list-deliveries" -> id("delivery_id");
      default -> makeOneToBeListed(route);
    }
    if (route.operation().equals("complete-authorization")) {
      String url = json(ask(route("authorize-connector"))).path("authorization_url").textValue();
      comeBack(url.replaceFirst(".*[?&]state=([^&]*).*", "$1"));
    } else {
      ask(route);
    }
  }

  /** A list is read where what it lists is made. */
  private void makeOneToBeListed(Route list) {
    if (list.method().reads()) {
      stage.routes().stream()
          .filter(route -> route.method() == Route.Method.POST && route.path().equals(list.path()))
          .forEach(this::ask);
    }
  }

  /** Has happen what the trigger's function is for. */
  void live(Trigger trigger) {
    switch (trigger) {
      // The day has begun with it.
      case CREATE_TENANT -> {}
      case RELAY_STATE -> relay(trigger, Table.STATE);
      case RELAY_EVENTS -> relay(trigger, Table.EVENTS);
      case RELAY_RECEIPTS -> relay(trigger, Table.RECEIPTS);
      case PROPOSE -> {
        id("operator_id");
        fact(trigger, FactType.ENVELOPE_INGESTED, id("event_id"));
      }
      // What a plan dispatches is executed, or given up, at once.
      case EXECUTE_ACTION, GIVE_UP_ACTION -> id("action_id");
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
        stage.event(trigger, Map.of());
      }
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
    event.setRecords(stage.store().everything(table).stream().map(Day::inserted).toList());
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
                        .withSS(value.hasSs() ? value.ss() : null)));
    DynamodbStreamRecord change = new DynamodbStreamRecord();
    change.setEventID("rehearsal");
    change.setEventName("INSERT");
    change.setDynamodb(new StreamRecord().withNewImage(image).withSequenceNumber("1"));
    return change;
  }

  private Route route(String operation) {
    return stage.route(operation);
  }

  /** The identifier that a path has in this place, of something that is made if it is not there. */
  private String id(String parameter) {
    String known = made.get(parameter);
    if (known == null) {
      known = make(parameter);
      made.put(parameter, known);
    }
    return known;
  }

  private String make(String parameter) {
    return switch (parameter) {
      case "approval_id" -> json(ask(route("approve-plan"))).path("approval_id").textValue();
      case "action_id" -> proposed(bodies.of(route("propose-plan")));
      case "connector_id" -> make(route("install-connector"));
      case "delivery_id" -> make(route("test-webhook-endpoint"));
      case "endpoint_id" -> make(route("create-webhook-endpoint"));
      case "event_id" -> make(route("ingest-event"));
      case "export_id" -> make(route("create-export"));
      case "halt_id" -> make(route("create-halt"));
      case "key_id" -> make(route("create-key"));
      case "listing_id" -> Bodies.LISTING;
      case "operator_id" -> make(route("create-operator"));
      case "plan_id" -> make(route("propose-plan"), bodies.held());
      case "receipt_id" -> {
        id("action_id");
        yield json(ask(route("list-receipts"))).at("/data/0/id").textValue();
      }
      case "version" -> "1";
      default -> throw new IllegalArgumentException("Nobody knows how to make a " + parameter);
    };
  }

  /** The action of a plan that is made of this. */
  private String proposed(String body) {
    return json(ask(route("propose-plan"), body)).at("/actions/0/id").textValue();
  }

  private String make(Route route) {
    return make(route, bodies.of(route));
  }

  private String make(Route route, String body) {
    return json(ask(route, body)).path("id").textValue();
  }

  private static JsonNode json(String answer) {
    return Json.read(answer);
  }

  private String ask(Route route) {
    return ask(route, bodies.of(route));
  }

  private String ask(Route route, String body) {
    String path =
        PARAMETER
            .matcher(route.path())
            .replaceAll(found -> Matcher.quoteReplacement(id(found.group(1))));
    return answer(
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(route.method().name())
            .withResource(route.path())
            .withPath(path)
            .withBody(route.method().reads() ? null : body),
        decides(route) ? approver() : key,
        Day::isGood);
  }

  private static boolean decides(Route route) {
    return Set.of("approve-plan", "resolve-action").contains(route.operation());
  }

  /** The key that approves and resolves: nobody does either of what they proposed. */
  private String approver() {
    String known = approver;
    if (known == null) {
      known = json(ask(route("create-key"))).path("secret").textValue();
      approver = known;
    }
    return known;
  }

  /** A browser comes back from where a connector was authorised. */
  private void comeBack(String state) {
    answer(
        new APIGatewayProxyRequestEvent()
            .withHttpMethod("GET")
            .withResource(ConnectorWiring.OAUTH_CALLBACK)
            .withPath(ConnectorWiring.OAUTH_CALLBACK)
            .withQueryStringParameters(Map.of("state", state, "code", "rehearsal")),
        Day::isGood);
  }

  private static boolean isGood(int status) {
    return status / 100 == 2;
  }

  private String answer(APIGatewayProxyRequestEvent request, IntPredicate expected) {
    return answer(request, key, expected);
  }

  private String answer(APIGatewayProxyRequestEvent request, String secret, IntPredicate expected) {
    Map<String, String> headers = new HashMap<>();
    headers.put("Authorization", "Bearer " + secret);
    headers.put("Content-Type", "application/json");
    headers.put("Idempotency-Key", Integer.toString(++asked));
    APIGatewayProxyResponseEvent answer = stage.request(request.withHeaders(headers));
    if (!expected.test(answer.getStatusCode())) {
      throw new IllegalStateException(
          "%s %s was answered %d: %s"
              .formatted(
                  request.getHttpMethod(),
                  request.getPath(),
                  answer.getStatusCode(),
                  answer.getBody()));
    }
    return answer.getBody();
  }
}
