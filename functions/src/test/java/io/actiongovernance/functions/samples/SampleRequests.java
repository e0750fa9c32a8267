package io.actiongovernance.functions.samples;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.json.Json;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes sample requests for a tenant: first it creates whatever the route is about, by the routes
 * that create it. What can be done only once with an object is done with an object of its own. Not
 * thread-safe.
 */
public final class SampleRequests {
  /** What is for people who are signed in, or sign something: a key is refused. */
  private static final Set<String> OF_PEOPLE =
      Set.of(
          "create-approval-challenge",
          "withdraw-vote",
          "create-passkey-challenge",
          "enrol-passkey",
          "delete-passkey",
          "sign-in-by-passkey",
          "complete-authorization",
          "complete-sign-in");

  private static final String NOBODYS_PASSKEY = PasskeyId.PREFIX + "0".repeat(26);

  private final List<Route> routes;
  private final SampleTenant tenant;
  private final SampleBodies bodies;
  private final Map<String, String> made = new HashMap<>();
  private @Nullable String proposer;

  /**
   * @param routes those that there are
   * @param outside what its connectors and webhooks speak to
   */
  public SampleRequests(List<Route> routes, SampleTenant tenant, SampleBodies.Outside outside) {
    this.routes = routes;
    this.tenant = tenant;
    this.bodies = new SampleBodies(this::id, outside);
  }

  /** Whether the route answers only people; the samples are those of a key. */
  public static boolean isOfPeople(Route route) {
    return OF_PEOPLE.contains(route.operation());
  }

  /** Makes a sample request to the route and returns the body of its answer. */
  public String send(Route route) {
    return tenant.answer(request(route));
  }

  /** A sample request to the route that has not been made yet. */
  public SampleRequest request(Route route) {
    return switch (route.operation()) {
      case "create-halt" -> request(route, Map.of(), bodies.halt(make("operator_id")));
      case "create-identity-provider", "create-person" -> {
        noIdentityProvider();
        yield request(route, Map.of(), bodies.of(route));
      }
      case "amend-plan" -> {
        JsonNode plan = ask("propose-plan", Map.of(), bodies.held());
        yield request(
            route,
            Map.of("plan_id", plan.path("id").textValue()),
            bodies.amended(plan.at("/actions/0/id").textValue()));
      }
      case "begin-authorization" ->
          new SampleRequest(route, Map.of(), Map.of("state", addressed()), null, null);
      case "complete-authorization" ->
          new SampleRequest(
              route, Map.of(), Map.of("code", "c0de", "state", "of-a-browser"), null, null);
      case "complete-sign-in" ->
          new SampleRequest(
              route,
              Map.of("idp_id", id("idp_id")),
              Map.of("code", "c0de", "state", "of-a-browser"),
              null,
              null);
      case "inspect-ticket", "redeem-ticket" -> request(route, Map.of(), bodies.ticket(ticket()));
      case "retrieve-allowance" -> {
        id("action_id");
        yield request(route, Map.of(), null);
      }
      case "retrieve-mcp-metadata" -> {
        id("idp_id");
        yield request(route, Map.of(), null);
      }
      default -> {
        makeOneToBeListed(route);
        yield request(route, ofItsOwn(route), bodies.of(route));
      }
    };
  }

  /** What the route uses up, made for it alone. */
  private Map<String, String> ofItsOwn(Route route) {
    return switch (route.operation()) {
      case "archive-operator", "pause-operator", "put-guardrails" ->
          Map.of("operator_id", make("operator_id"));
      case "publish-operator" -> Map.of("operator_id", make("create-operator", bodies.draft()));
      case "resume-operator" -> {
        Map<String, String> paused = Map.of("operator_id", make("operator_id"));
        ask("pause-operator", paused, "{}");
        yield paused;
      }
      case "uninstall-connector" -> Map.of("connector_id", make("connector_id"));
      case "authorize-connector" ->
          Map.of("connector_id", make("install-connector", bodies.unauthorized()));
      case "delete-identity-provider" -> Map.of("idp_id", make("idp_id"));
      case "delete-session" -> Map.of("session_id", make("session_id"));
      case "revoke-key" -> Map.of("key_id", make("key_id"));
      case "delete-webhook-endpoint", "recover-webhook-endpoint" ->
          Map.of("endpoint_id", make("endpoint_id"));
      case "delete-channel" -> Map.of("channel_id", make("channel_id"));
      case "redeliver" -> delivered();
      case "approve-plan", "veto-plan" -> Map.of("plan_id", make("plan_id"));
      case "send-mcp-message" -> {
        // Its tools are called by their names, which no other connector's may have too.
        String connector = make("install-connector", bodies.ofAgent());
        yield Map.of("operator_id", make("create-operator", bodies.agentsOperator(connector)));
      }
      case "withdraw-plan" -> {
        // Only who has proposed it may.
        Route propose = route("propose-plan");
        String own = tenant.answer(request(propose, Map.of(), bodies.held(), null));
        yield Map.of("plan_id", Json.read(own).path("id").textValue());
      }
      case "undo-action" -> Map.of("action_id", make("action_id"));
      case "resolve-action" -> Map.of("action_id", proposed(bodies.unanswered()));
      case "lift-halt" -> Map.of("halt_id", make("halt_id"));
      default -> Map.of();
    };
  }

  /** A plan that one approval is enough for. */
  public String held() {
    return make("plan_id");
  }

  /** A plan that two people have to sign. */
  public String heldForTwo() {
    Map<String, String> named = Map.of("operator_id", make("create-operator", bodies.ofTwo()));
    return ask("propose-plan", named, bodies.held()).path("id").textValue();
  }

  /** Where a person who is made by it enrols, in the words of who made them. */
  public String enrolment() {
    noIdentityProvider();
    return tokenOf(
        ask("create-person", Map.of(), bodies.of(route("create-person")))
            .path("enrolment_url")
            .textValue());
  }

  /** A list is read where there is one of what it lists. */
  private void makeOneToBeListed(Route list) {
    if (list.method().reads()) {
      for (Route route : routes) {
        route.pathParameters().stream()
            .filter(one -> route.path().equals(list.path() + "/{" + one + "}"))
            .forEach(this::id);
      }
    }
  }

  /** A delivery of which nothing is attempted any more. */
  private Map<String, String> delivered() {
    String endpoint = id("endpoint_id");
    Map<String, String> named = Map.of("endpoint_id", endpoint, "delivery_id", make("delivery_id"));
    tenant.await(
        () -> ask("retrieve-delivery", named, null).path("status").textValue().equals("failed"));
    return named;
  }

  /** A ticket that nobody has redeemed. */
  private String ticket() {
    return tokenOf(json("create-ticket").path("url").textValue());
  }

  private static String tokenOf(String url) {
    return url.replaceFirst(".*#ticket=", "");
  }

  /** What is in the address at which a connector is authorised. */
  public String addressed() {
    String url = json("authorize-connector").path("authorization_url").textValue();
    return url.replaceFirst(".*[?]state=", "");
  }

  /** There is one at the most, and who is made by hand has no subject there. */
  private void noIdentityProvider() {
    made.remove("idp_id");
    for (JsonNode one : ask("list-identity-providers", Map.of(), null).path("data")) {
      ask("delete-identity-provider", Map.of("idp_id", one.path("id").textValue()), null);
    }
  }

  /** The identifier that a path has in this place, of something that is made if it is not there. */
  public String id(String parameter) {
    String known = made.get(parameter);
    if (known == null) {
      known = make(parameter);
      made.put(parameter, known);
    }
    return known;
  }

  /** Another one than any that was made before. */
  private String make(String parameter) {
    return switch (parameter) {
      case "approval_id" -> json("approve-plan").path("approval_id").textValue();
      case "action_id" -> proposed(bodies.of(route("propose-plan")));
      case "channel_id" -> make("create-channel", null);
      case "connector_id" -> make("install-connector", null);
      case "delivery_id" -> make("test-webhook-endpoint", null);
      case "endpoint_id" -> make("create-webhook-endpoint", null);
      case "event_id" -> make("ingest-event", null);
      case "export_id" -> make("create-export", null);
      case "halt_id" -> json("create-halt").path("id").textValue();
      case "key_id" -> make("create-key", null);
      case "listing_id" -> SampleBodies.LISTING;
      case "operator_id" -> make("create-operator", null);
      case "passkey_id" -> NOBODYS_PASSKEY;
      case "person_id" -> {
        noIdentityProvider();
        yield make("create-person", null);
      }
      case "idp_id" -> {
        noIdentityProvider();
        yield make("create-identity-provider", null);
      }
      case "plan_id" -> make("propose-plan", bodies.held());
      case "session_id" -> json("redeem-ticket").path("id").textValue();
      case "receipt_id" -> {
        id("action_id");
        yield ask("list-receipts", Map.of(), null).at("/data/0/id").textValue();
      }
      case "version" -> "1";
      default -> throw new IllegalArgumentException("Nobody knows how to make a " + parameter);
    };
  }

  /** What a route makes of this, or of its sample body. */
  private String make(String operation, @Nullable String body) {
    Route route = route(operation);
    return ask(operation, Map.of(), body == null ? bodies.of(route) : body).path("id").textValue();
  }

  /** The action of a plan that is made of this. */
  private String proposed(String body) {
    return ask("propose-plan", Map.of(), body).at("/actions/0/id").textValue();
  }

  private JsonNode ask(String operation, Map<String, String> own, @Nullable String body) {
    return Json.read(tenant.answer(request(route(operation), own, body)));
  }

  private JsonNode json(String operation) {
    return Json.read(send(route(operation)));
  }

  /**
   * @param own what the path names that is not what all samples share
   */
  private SampleRequest request(Route route, Map<String, String> own, @Nullable String body) {
    boolean proposes = route.operation().equals("propose-plan");
    return request(route, own, body, proposes ? proposer() : null);
  }

  private SampleRequest request(
      Route route, Map<String, String> own, @Nullable String body, @Nullable String secret) {
    Map<String, String> named = new LinkedHashMap<>();
    for (String parameter : route.pathParameters()) {
      String one = own.get(parameter);
      named.put(parameter, one == null ? id(parameter) : one);
    }
    boolean pages = route.name().startsWith("LIST_") && route.rateClass() != null;
    return new SampleRequest(
        route,
        named,
        pages ? Map.of("limit", "1") : Map.of(),
        route.method().reads() || route.method() == Route.Method.DELETE ? null : body,
        secret);
  }

  /** The key that proposes: nobody decides on what they have proposed themselves. */
  private String proposer() {
    String known = proposer;
    if (known == null) {
      known = json("create-key").path("secret").textValue();
      proposer = known;
    }
    return known;
  }

  private Route route(String operation) {
    return routes.stream()
        .filter(route -> route.operation().equals(operation))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no route " + operation));
  }
}
