package io.actiongovernance.localstack.acceptance.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.action.ActionRoutes;
import io.actiongovernance.functions.billing.AllowanceRoutes;
import io.actiongovernance.functions.channel.ChannelRoutes;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.operator.OperatorRoutes;
import io.actiongovernance.functions.people.PeopleRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.receipt.ReceiptRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.webhook.WebhookRoutes;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Wire;
import io.actiongovernance.localstack.acceptance.people.SessionsSpec;
import io.actiongovernance.localstack.acceptance.receipt.ExportsSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who reaches what: every route with every kind of key that must not (specification,
 * Authentication; contract, section 9).
 */
@Acceptance
final class TenancySpec {
  private static final Set<Scope> ADMIN_ONLY =
      EnumSet.of(
          Scope.KEYS_READ,
          Scope.KEYS_WRITE,
          Scope.BILLING_WRITE,
          Scope.PEOPLE_READ,
          Scope.PEOPLE_WRITE);

  /** One object of each kind, by the name that paths have for its identifier. */
  private static Map<String, String> objects(Given given, Api by) {
    Map<String, String> ids = new HashMap<>();
    String connector = given.install(by, null);
    Operator operator =
        given.operatorOf(
            by, connector, Json.object(), Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    JsonNode event = EveryRoute.send(by, EventRoutes.INGEST_EVENT).is(201);
    JsonNode key = by.post("/v1/keys", keyLike(by)).is(201);
    Operator.Plan held = operator.propose(operator.refund(Given.unique("ch")));
    Operator.Plan approved = operator.propose(operator.refund(Given.unique("ch")));
    ids.put("approval_id", approval(by, approved));
    Operator.Plan done = operator.propose(operator.note(Given.unique("note"))).await("executed");
    JsonNode halt = by.post("/v1/halts", haltOfNothingThatRuns(given, by)).is(201);
    JsonNode export = EveryRoute.send(by, ReceiptRoutes.CREATE_EXPORT).is(201);
    ids.put("export_id", ExportsSpec.completed(by, export).path("id").asText());
    ids.put("halt_id", halt.path("id").asText());
    // Of a type that nothing here leads to: facts of before may still be on their way.
    Hook hook = Hook.at(given.receiver(), by, "connector.status_changed");
    hook.test("connector.status_changed");
    ids.put("delivery_id", hook.delivery("succeeded").path("id").asText());
    ids.put("endpoint_id", hook.id());
    JsonNode channel = EveryRoute.send(by, ChannelRoutes.CREATE_CHANNEL).is(201);
    ids.put("channel_id", channel.path("id").asText());
    ids.put("connector_id", connector);
    ids.put("operator_id", operator.id());
    ids.put("event_id", event.path("id").asText());
    ids.put("key_id", key.path("id").asText());
    ids.put("plan_id", held.id());
    ids.put("action_id", done.actionId(0));
    ids.put("session_id", SessionsSpec.begun(by));
    // People are of the whole tenant: who is pinned to a workspace makes none.
    Answer person = EveryRoute.send(by, PeopleRoutes.CREATE_PERSON);
    ids.put(
        "person_id",
        person.status() == 201
            ? person.json().path("id").asText()
            : EveryRoute.unknown("person_id"));
    ids.put("passkey_id", EveryRoute.unknown("passkey_id"));
    // There is one of a tenant at the most, and then nobody is made without: IdentityProvidersSpec.
    ids.put("idp_id", EveryRoute.unknown("idp_id"));
    ids.put("receipt_id", done.action(0).path("receipt_id").asText());
    return ids;
  }

  /** By another key than the one that proposed. */
  private static String approval(Api by, Operator.Plan plan) {
    JsonNode key = by.post("/v1/keys", keyLike(by).put("role", "operate")).is(201);
    JsonNode result = by.as(key.path("secret").asText()).post(plan.path() + "/approve").is(200);
    return result.path("approval_id").asText();
  }

  /** Of a connector that no other object uses. */
  private static ObjectNode haltOfNothingThatRuns(Given given, Api by) {
    return Json.object()
        .put("scope", "connector")
        .put("id", given.install(by, null))
        .put("reason", "Stop.");
  }

  /** A key that this one may make: of its mode and its workspace. */
  private static ObjectNode keyLike(Api by) {
    JsonNode own = by.get("/v1/keys?status=active&limit=100").data().getLast();
    JsonNode whole = by.get("/v1/keys/" + own.path("id").asText()).is(200);
    return Json.object()
        .put("name", Given.unique("key"))
        .put("role", "read_only")
        .put("mode", whole.path("mode").asText())
        .put("workspace_id", whole.path("workspace_id").textValue());
  }

  private static String id(Map<String, String> ids, String name) {
    if (name.equals("version")) {
      return "1";
    }
    return Objects.requireNonNull(ids.get(name), "Make one object for " + name + ".");
  }

  /** Each object, as its owner sees it. */
  private static String whole(Api owner, Map<String, String> ids) {
    StringBuilder all = new StringBuilder();
    for (Route route : EveryRoute.ofOneObject()) {
      if (route.method().reads()) {
        String path = EveryRoute.path(route, name -> id(ids, name));
        if (!EveryRoute.ofNothing(path)) {
          all.append(EveryRoute.withoutCursors(owner.get(path).is(200))).append('\n');
        }
      }
    }
    return all.toString();
  }

  private static void seesNothing(Api stranger, Api owner, Map<String, String> ids) {
    seesNothing(stranger, owner, ids, Set.of());
  }

  /**
   * The same for one to whom some routes are closed, whatever they name.
   *
   * @param closed those routes
   */
  private static void seesNothing(
      Api stranger, Api owner, Map<String, String> ids, Set<Route> closed) {
    String before = whole(owner, ids);
    for (Route route : EveryRoute.ofOneObject()) {
      String path = EveryRoute.path(route, name -> id(ids, name));
      Answer answer = EveryRoute.sendTo(path, stranger, route);
      if (closed.contains(route)) {
        answer.isError(403, "insufficient_scope");
      } else {
        answer.isError(404, "not_found");
      }
      Answer ofNothing = EveryRoute.send(stranger, route);
      assertThat(answer.json().at("/error/message"))
          .as(answer.request())
          .isEqualTo(ofNothing.json().at("/error/message"));
    }
    assertThat(whole(owner, ids)).isEqualTo(before);
    for (Route route : EveryRoute.lists()) {
      String all = stranger.get(route.path() + "?limit=100").is(200).toString();
      ids.values().forEach(id -> assertThat(all).as(route.name()).doesNotContain(id));
    }
  }

  @Test
  void theOwnerSeesEachObject(Given given) {
    assertThat(whole(given.api(), objects(given, given.api()))).isNotEmpty();
  }

  @Test
  void anotherTenantsObjectsAreNotFoundOnEveryRoute(Given given) {
    seesNothing(given.anotherTenant(), given.api(), objects(given, given.api()));
  }

  @Test
  void objectsOfTheOtherModeAreNotFoundOnEveryRoute(Given given) {
    Map<String, String> live = objects(given, given.api());
    // Live keys see test keys too, and test keys no live ones.
    seesNothing(given.testApi(), given.api(), live);
    Map<String, String> test = objects(given, given.testApi());
    test.put("key_id", EveryRoute.unknown("key_id"));
    for (Route route : EveryRoute.ofOneObject()) {
      String path = EveryRoute.path(route, name -> id(test, name));
      EveryRoute.sendTo(path, given.api(), route).isError(404, "not_found");
    }
  }

  @Test
  void aPinnedKeySeesNothingOfOtherWorkspacesOrTheWholeTenant(Given given) {
    ObjectNode admin = Json.object().put("role", "admin");
    Api first = given.apiWith(admin.deepCopy().put("workspace_id", "first"));
    Api second = given.apiWith(admin.deepCopy().put("workspace_id", "second"));
    Map<String, String> ofFirst = objects(given, first);
    Set<Route> closed = Set.of(HaltRoutes.LIFT_HALT);
    seesNothing(second, first, ofFirst, closed);
    assertThat(whole(given.api(), ofFirst)).as("an unpinned key sees it").isNotEmpty();
    seesNothing(second, given.api(), objects(given, given.api()), closed);
  }

  @Test
  void aPinnedKeyMakesObjectsOnlyInItsWorkspace(Given given) {
    Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", "first"));
    for (Route route :
        List.of(
            EventRoutes.INGEST_EVENT,
            OperatorRoutes.CREATE_OPERATOR,
            ConnectorRoutes.INSTALL_CONNECTOR,
            WebhookRoutes.CREATE_WEBHOOK_ENDPOINT,
            ChannelRoutes.CREATE_CHANNEL)) {
      JsonNode made = EveryRoute.send(pinned, route).is(201);
      assertThat(made.path("workspace_id").asText()).as(route.name()).isEqualTo("first");
      ObjectNode other = EveryRoute.body(route).put("workspace_id", "second");
      pinned.post(route.path(), other).isError(403, "insufficient_scope");
      ObjectNode own = EveryRoute.body(route).put("workspace_id", "first");
      pinned.post(route.path(), own).is(201);
    }
  }

  @Test
  void idsInBodiesOfAnotherTenantAreNotFound(Given given) {
    Map<String, String> foreign = objects(given, given.api());
    Api stranger = given.anotherTenant();
    JsonNode operator = EveryRoute.send(stranger, OperatorRoutes.CREATE_OPERATOR).is(201);
    String path = "/v1/operators/" + operator.path("id").asText();
    String event = id(foreign, "event_id");
    stranger
        .post(path + "/repropose", Json.object().put("event_id", event))
        .isError(404, "not_found");
    ObjectNode proposal = EveryRoute.body(PlanRoutes.PROPOSE_PLAN);
    ((ObjectNode) proposal.at("/actions/0")).put("connector", id(foreign, "connector_id"));
    stranger.post(path + "/plans", proposal).isInvalid("actions[0].connector");
    stranger.post(path + "/guardrails/simulate", proposal).isInvalid("actions[0].connector");
    for (String query :
        List.of(
            "plans?operator_id=" + id(foreign, "operator_id"),
            "plans?event_id=" + event,
            "actions?plan_id=" + id(foreign, "plan_id"),
            "receipts?plan_id=" + id(foreign, "plan_id"),
            "receipts?action_id=" + id(foreign, "action_id"))) {
      assertThat(stranger.get("/v1/" + query).data()).as(query).isEmpty();
    }
  }

  @Test
  void aTokenThatWasNeverIssuedIsInvalidOnEveryRoute(Given given) {
    List<String> tokens =
        List.of(
            "nonsense",
            "sk_live_" + "a".repeat(38),
            "sk_live_",
            given.api().key() + "x",
            Objects.requireNonNull(given.api().key()).replace("sk_live_", "sk_test_"));
    for (String token : tokens) {
      given.api().as(token).get("/v1/plans").isError(401, "key_invalid");
    }
    for (Route route : EveryRoute.governed()) {
      EveryRoute.send(given.api().as(tokens.getFirst()), route).isError(401, "key_invalid");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "sk_live_x", "Token abc", " "})
  void anotherSchemeIsUnauthenticated(String header, Given given) {
    Api none = given.api().as(null);
    Answer answer = Wire.send(none, "GET", "/v1/plans", new byte[0], "Authorization", header);
    answer.isError(401, "unauthenticated");
    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
  }

  @Test
  void aRevokedKeyFailsOnEveryRoute(Given given) {
    JsonNode key =
        given
            .api()
            .post("/v1/keys", Json.object().put("name", Given.unique("key")).put("role", "admin"))
            .is(201);
    Api api = given.api().as(key.path("secret").asText());
    api.get("/v1/plans").is(200);
    given.api().delete("/v1/keys/" + key.path("id").asText()).is(200);
    for (Route route : EveryRoute.governed()) {
      EveryRoute.send(api, route).isError(401, "key_revoked");
    }
  }

  @Test
  void anExpiredKeyFailsOnEveryRoute(Given given) {
    ObjectNode brief =
        Json.object()
            .put("role", "operate")
            .put("expires_at", Instant.now().plusSeconds(5).toString());
    Api api = given.apiWith(brief);
    Await.until(
        Duration.ofSeconds(20), () -> api.get("/v1/plans"), answer -> answer.status() == 401);
    for (Route route : EveryRoute.governed()) {
      EveryRoute.send(api, route).isError(401, "key_expired");
    }
  }

  /** The API with a new key of a role that is bound to these operators. */
  private static Api bound(Given given, String role, Operator... operators) {
    ObjectNode key = Json.object().put("role", role);
    for (Operator operator : operators) {
      key.withArray("operator_ids").add(operator.id());
    }
    return given.apiWith(key);
  }

  private static Operator desk(Given given) {
    return given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
  }

  private static boolean isOpen(Route route, Role role) {
    return route.isOpenTo(role.scopes()) && route.isOpenToBoundKeys();
  }

  @Test
  void aBoundKeySeesNothingOfOtherOperatorsOrOfTheTenant(Given given) {
    Map<String, String> other = objects(given, given.api());
    Api bound = bound(given, "operate", desk(given));
    String before = whole(given.api(), other);
    for (Route route : EveryRoute.ofOneObject()) {
      Answer answer =
          EveryRoute.sendTo(EveryRoute.path(route, name -> id(other, name)), bound, route);
      if (!isOpen(route, Role.OPERATE)) {
        answer.isError(403, "insufficient_scope");
      } else if (route.equals(ConnectorRoutes.RETRIEVE_CONNECTOR)) {
        answer.is(200);
      } else {
        answer.isError(404, "not_found");
      }
    }
    assertThat(whole(given.api(), other)).isEqualTo(before);
    other.remove("connector_id");
    for (Route route : EveryRoute.lists()) {
      Answer list = bound.get(route.path() + "?limit=100");
      if (isOpen(route, Role.OPERATE)) {
        String all = list.is(200).toString();
        other.values().forEach(id -> assertThat(all).as(route.name()).doesNotContain(id));
      } else {
        list.isError(403, "insufficient_scope");
      }
    }
    for (String list : List.of("plans", "actions", "receipts")) {
      String ofOther = "/v1/" + list + "?operator_id=" + id(other, "operator_id");
      assertThat(bound.get(ofOther).data()).as(list).isEmpty();
    }
  }

  /** Events, exports, webhooks, the allowance, keys, and every write of configuration. */
  @Test
  void routesWithoutAnOperatorAreClosedToBoundKeys(Given given) {
    Operator own = desk(given);
    for (Scope scope : Scope.values()) {
      if (ADMIN_ONLY.contains(scope)) {
        continue;
      }
      ObjectNode key = Json.object();
      key.putArray("scopes").add(scope.wire());
      key.putArray("operator_ids").add(own.id());
      Api bound = given.apiWith(key);
      for (Route route : EveryRoute.governed()) {
        if (route.scope() == scope && !route.isOpenToBoundKeys()) {
          EveryRoute.send(bound, route).isError(403, "insufficient_scope");
        }
      }
      revoke(given, bound);
    }
    assertThat(EveryRoute.governed().stream().filter(route -> !route.isOpenToBoundKeys()))
        .contains(
            EventRoutes.LIST_EVENTS,
            EventRoutes.INGEST_EVENT,
            ReceiptRoutes.CREATE_EXPORT,
            ReceiptRoutes.RETRIEVE_EXPORT,
            WebhookRoutes.LIST_WEBHOOK_ENDPOINTS,
            ChannelRoutes.LIST_CHANNELS,
            ChannelRoutes.TEST_CHANNEL,
            AllowanceRoutes.RETRIEVE_ALLOWANCE,
            KeyRoutes.CREATE_KEY,
            OperatorRoutes.CREATE_OPERATOR,
            OperatorRoutes.PUT_GUARDRAILS,
            ConnectorRoutes.UPDATE_CONNECTOR);
  }

  @Test
  void aBoundKeyReadsAndDecidesOnlyForItsOperators(Given given) {
    Operator first = desk(given);
    Operator second = desk(given);
    Operator third = desk(given);
    Operator.Plan held = first.propose(first.refund(Given.unique("ch")));
    Operator.Plan done = second.propose(second.note(Given.unique("note"))).await("executed");
    Operator.Plan foreign = third.propose(third.refund(Given.unique("ch")));
    Api one = bound(given, "operate", first);
    Api two = bound(given, "operate", first, second);
    assertThat(one.get("/v1/operators").ids()).containsExactly(first.id());
    assertThat(two.get("/v1/operators").ids()).containsExactly(second.id(), first.id());
    assertThat(two.get("/v1/operators?limit=1").ids()).containsExactly(second.id());
    assertThat(one.get("/v1/plans").ids()).containsExactly(held.id());
    assertThat(two.get("/v1/plans").ids()).containsExactly(done.id(), held.id());
    assertThat(one.get("/v1/actions").ids()).isEmpty();
    assertThat(two.get("/v1/actions").ids()).containsExactly(done.actionId(0));
    assertThat(ofWhat(two)).containsExactly("action " + second.id(), made(second), made(first));
    one.get(done.path()).isError(404, "not_found");
    two.get(done.path()).is(200);
    two.get("/v1/actions/" + done.actionId(0)).is(200);
    ObjectNode nothing = Json.object();
    two.post(foreign.path() + "/approve", nothing).isError(404, "not_found");
    one.post(held.path() + "/approve", nothing).is(200);
    assertThat(ofWhat(one)).containsExactly("action " + first.id(), made(first));
  }

  /** Of each receipt, its kind, and the operator that it is of or whose change it records. */
  private static List<String> ofWhat(Api api) {
    return api.get("/v1/receipts").data().stream()
        .map(
            receipt ->
                receipt.path("kind").asText()
                    + " "
                    + (receipt.path("target").isNull()
                        ? receipt.path("operator_id").asText()
                        : receipt.at("/target/id").asText()))
        .toList();
  }

  /** That an operator was made. */
  private static String made(Operator operator) {
    return "config " + operator.id();
  }

  @Test
  void aBoundAgentProposesOnlyForItsOwnOperators(Given given) {
    Operator own = desk(given);
    Operator other = desk(given);
    Api agent = bound(given, "agent", own);
    ObjectNode proposal = Operator.proposal(own.refund(Given.unique("ch")));
    JsonNode plan = agent.post("/v1/operators/" + own.id() + "/plans", proposal).is(201);
    String path = "/v1/plans/" + plan.path("id").asText();
    agent.get(path).is(200);
    agent.post("/v1/operators/" + other.id() + "/plans", proposal).isError(404, "not_found");
    agent.post(path + "/approve", Json.object()).isError(403, "insufficient_scope");
    agent.get("/v1/connectors/" + own.connector()).is(200);
  }

  @Test
  void aBoundKeyHaltsItsOwnOperatorsAndLiftsNothing(Given given) {
    Operator own = desk(given);
    Operator other = desk(given);
    Api bound = bound(given, "operate", own);
    ObjectNode halt = Json.object().put("scope", "tenant").put("reason", "Stop.");
    bound.post("/v1/halts", halt).isError(403, "insufficient_scope");
    halt.put("scope", "connector").put("id", own.connector());
    bound.post("/v1/halts", halt).isError(404, "not_found");
    halt.put("scope", "operator").put("id", other.id());
    bound.post("/v1/halts", halt).isError(404, "not_found");
    JsonNode foreign = given.api().post("/v1/halts", halt).is(201);
    halt.put("id", own.id());
    JsonNode made = bound.post("/v1/halts", halt, "Idempotency-Key", "halt").is(201);
    for (String query : List.of("", "?active=true")) {
      assertThat(bound.get("/v1/halts" + query).ids()).containsExactly(made.path("id").asText());
    }
    assertThat(ofWhat(bound)).containsExactly("halt " + own.id(), made(own));
    for (JsonNode one : List.of(made, foreign)) {
      String lift = "/v1/halts/" + one.path("id").asText() + "/lift";
      ObjectNode reason = Json.object().put("reason", "Go on.");
      bound.post(lift, reason).isError(403, "insufficient_scope");
      given.api().post(lift, reason).is(200);
    }
    // What one caller was told under a key is told to nobody who reaches further.
    Answer again = given.api().post("/v1/halts", halt, "Idempotency-Key", "halt");
    assertThat(again.headers().firstValue("Idempotent-Replayed")).isEmpty();
  }

  @Test
  void everyRouteNeedsItsScopeAndNoOther(Given given) {
    for (Scope scope : Scope.values()) {
      List<Route> routes =
          EveryRoute.governed().stream().filter(route -> route.scope() == scope).toList();
      if (routes.isEmpty()) {
        continue;
      }
      Api without = withAllBut(given, scope);
      for (Route route : routes) {
        if (route.access().otherScope() == null) {
          EveryRoute.send(without, route).isError(403, "insufficient_scope");
        }
      }
      if (!ADMIN_ONLY.contains(scope)) {
        Api with = given.apiOfScopes(scope.wire());
        for (Route route : routes) {
          Answer answer = EveryRoute.send(with, route);
          if (route.access().furtherScope() == null) {
            assertThat(answer.status()).as(answer.request() + answer.text()).isNotIn(401, 403);
          } else {
            answer.isError(403, "insufficient_scope");
          }
        }
        revoke(given, with);
      }
      revoke(given, without);
    }
  }

  @Test
  void aRouteWithTwoScopesAcceptsEitherAndNoOther(Given given) {
    List<Route> routes =
        EveryRoute.governed().stream()
            .filter(route -> route.access().otherScope() != null)
            .toList();
    assertThat(routes).contains(PlanRoutes.WITHDRAW_PLAN);
    Api neither = given.apiOfScopes(Scope.PLANS_READ.wire());
    for (Route route : routes) {
      EveryRoute.send(neither, route).isError(403, "insufficient_scope");
      Scope other = Objects.requireNonNull(route.access().otherScope());
      Api with = given.apiOfScopes(other.wire());
      assertThat(EveryRoute.send(with, route).status()).isNotIn(401, 403);
      revoke(given, with);
    }
    revoke(given, neither);
  }

  @Test
  void aRouteThatNeedsTwoScopesTakesOnlyBoth(Given given) {
    List<Route> routes =
        EveryRoute.governed().stream()
            .filter(route -> route.access().furtherScope() != null)
            .toList();
    assertThat(routes).contains(ActionRoutes.RETRIEVE_EXPLANATION);
    for (Route route : routes) {
      Scope scope = Objects.requireNonNull(route.scope());
      Scope further = Objects.requireNonNull(route.access().furtherScope());
      Api one = given.apiOfScopes(further.wire());
      EveryRoute.send(one, route).isError(403, "insufficient_scope");
      Api both = given.apiOfScopes(scope.wire(), further.wire());
      assertThat(EveryRoute.send(both, route).status()).isNotIn(401, 403);
      revoke(given, one);
      revoke(given, both);
    }
  }

  /** All scopes that can be listed, and can be listed with one another, but this one. */
  private static Api withAllBut(Given given, Scope missing) {
    return given.apiOfScopes(
        Arrays.stream(Scope.values())
            .filter(scope -> scope != missing && !ADMIN_ONLY.contains(scope))
            .filter(scope -> scope != Scope.PLANS_PROPOSE && scope != Scope.PLANS_APPROVE)
            .map(Scope::wire)
            .toArray(String[]::new));
  }

  /** There may be twenty active keys at a time. */
  private static void revoke(Given given, Api api) {
    String secret = Objects.requireNonNull(api.key());
    String hint = secret.substring(secret.length() - 4);
    given.api().get("/v1/keys?status=active&limit=100").data().stream()
        .filter(key -> key.path("hint").asText().endsWith(hint))
        .filter(key -> key.path("role").isNull())
        .forEach(key -> given.api().delete("/v1/keys/" + key.path("id").asText()).is(200));
  }
}
