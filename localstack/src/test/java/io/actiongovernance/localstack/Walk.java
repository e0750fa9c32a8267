package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A day in the life of a tenant: every route is asked for something that it does, and every queue,
 * stream and timer gets something to do by it.
 */
final class Walk {
  private static final String OPERATOR =
      """
      {'name':'refund-desk','triggers':{'event_types':['order.*']},
       'guardrails':[
         {'name':'small','decision':'ALLOW','tool':'sandbox.payment.*','conditions':{'max_value':10},
          'limits':[{'per':'operator','window_seconds':60,'max_value':'1000.00'}]},
         {'name':'large','decision':'ALERT','tool':'sandbox.payment.*','conditions':{'min_value':11}}],
       'model':{'provider':'scripted','plans':[{'event_type':'order.complained','actions':[
         {'connector':'CONNECTOR','tool':'sandbox.payment.refund',
          'args':{'order':'{{payload.id}}','amount':'{{payload.total}}'},
          'value':'{{payload.total}}','entity_key':'order:{{payload.id}}'}]}]}}
      """;

  /** Webhooks go to this machine, where nobody answers, and are given up after two attempts. */
  static final Map<String, String> SETTINGS =
      Map.of("GOVERNANCE_WEBHOOK_RETRY_SECONDS", "0,1", "GOVERNANCE_EGRESS_ALLOW", "127.0.0.1/32");

  private final EmbeddedStack stack;
  private final Supplier<String> faults;
  private final String tenant;
  private final URI base;
  private final String key;
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * @param faults what is known of faults, for when an answer is not as it should be
   */
  Walk(EmbeddedStack stack, Supplier<String> faults) throws Exception {
    this.stack = stack;
    this.faults = faults;
    this.base = stack.baseUrl();
    NewTenant.Created created = stack.newTenant(NewTenant.named("walker"));
    this.tenant = created.tenantId();
    this.key = Objects.requireNonNull(created.keys().live());
  }

  /** The day from its first request to its last. */
  void all() throws Exception {
    call(404, "GET", "/v1/no-such-path", null);
    call(200, "GET", "/v1/revisions", null);
    call(200, "GET", "/v1/allowance", null);
    call(200, "PATCH", "/v1/allowance", "{'hard_cap':100000}");
    JsonNode halt = call(201, "POST", "/v1/halts", "{'scope':'tenant','reason':'stop'}");
    call(200, "GET", "/v1/halts", null);
    call(200, "POST", "/v1/halts/" + halt.path("id").textValue() + "/lift", "{'reason':'on'}");
    call(200, "GET", "/v1/openapi.json", null);
    for (String page : List.of("/docs", "/docs/errors", "/docs/redoc.standalone.js")) {
      send("GET", page, null);
    }
    keys();
    webhooks();
    String connector = connectors();
    String operator = operators(connector);
    plans(operator, connector);
    call(200, "DELETE", "/v1/operators/" + operator, null);
    call(200, "DELETE", "/v1/connectors/" + connector, null);
    schedule();
  }

  /** No more than it takes to have one plan approved; yields its identifier. */
  String approval() throws Exception {
    String connector =
        id(call(201, "POST", "/v1/connectors", "{'listing_id':'cn-sandbox','name':'sandbox'}"));
    call(201, "POST", "/v1/operators", OPERATOR.replace("CONNECTOR", connector));
    String held = plan(ingest("1042", "42.00"), "proposed");
    call(200, "GET", "/v1/plans/" + held, null);
    call(200, "POST", "/v1/plans/" + held + "/approve", "{'approver':'dana'}");
    return held;
  }

  /** Whose data the walk leaves behind. */
  String partition() {
    return tenant + "#live";
  }

  /** The first line of what the stream tells of an event that it was opened before. */
  String streamed() throws Exception {
    String event = "{'source':'shop','event_type':'shop.opened','payload':{'of':'%s'}}";
    String before = id(call(201, "POST", "/v1/events", event.formatted("today")));
    call(201, "POST", "/v1/events", event.formatted("tomorrow"));
    HttpResponse<Stream<String>> response = openStream("?cursor=" + before);
    assertThat(response.statusCode()).as("%s", faults.get()).isEqualTo(200);
    try (Stream<String> lines = response.body()) {
      return lines.filter(line -> line.startsWith("id:")).findFirst().orElseThrow();
    }
  }

  private void schedule() throws Exception {
    String id =
        id(
            call(
                201,
                "POST",
                "/v1/operators",
                "{'name':'daily','triggers':{'schedule':'rate(1 minute)'},'model':{'provider':"
                    + "'scripted','plans':[{'event_type':null,'reasoning':'It is time.',"
                    + "'actions':[{'connector':'cn_0','tool':'none','entity_key':'desk'}]}]}}"));
    comeDue(id);
    // What names no connector is refused, with a receipt.
    TestService.await(() -> get("/v1/receipts?operator_id=" + id).toString().contains("refused"));
  }

  /** Has an operator's schedule be due now, for which one would otherwise wait a minute. */
  private void comeDue(String operator) {
    Key row = new Key(Table.STATE, partition() + "#operator", operator);
    stack
        .wiring()
        .store()
        .write(
            Write.update(
                row,
                Condition.present(),
                Change.set("due", Timestamps.format(Instant.now())),
                Change.add("row", 1)));
  }

  private void keys() throws Exception {
    String id = id(call(201, "POST", "/v1/keys", "{'name':'second','role':'admin'}"));
    call(200, "GET", "/v1/keys", null);
    call(200, "GET", "/v1/keys/" + id, null);
    call(200, "DELETE", "/v1/keys/" + id, null);
  }

  private void webhooks() throws Exception {
    String all = "/v1/webhook_endpoints";
    String id =
        id(call(201, "POST", all, "{'url':'https://127.0.0.1:9/','types':['plan.proposed']}"));
    call(200, "GET", all, null);
    call(200, "GET", all + "/" + id, null);
    String delivery = id(call(201, "POST", all + "/" + id + "/test", "{'type':'plan.proposed'}"));
    call(200, "GET", all + "/" + id + "/deliveries", null);
    String one = all + "/" + id + "/deliveries/" + delivery;
    // Once it has failed for the last time, there is something to do again.
    TestService.await(() -> get(one).path("status").textValue().equals("failed"));
    call(200, "POST", one + "/redeliver", "{}");
    TestService.await(() -> get(one).path("status").textValue().equals("failed"));
    call(200, "POST", all + "/" + id + "/recover", "{'since':'2026-01-01T00:00:00Z'}");
    call(200, "PATCH", all + "/" + id, "{'rotate_secret':true,'status':'disabled'}");
    call(200, "PATCH", all + "/" + id, "{'status':'active'}");
    call(200, "DELETE", all + "/" + id, null);
  }

  private String connectors() throws Exception {
    call(200, "GET", "/v1/marketplace/listings", null);
    call(200, "GET", "/v1/marketplace/listings/cn-sandbox", null);
    String id =
        id(call(201, "POST", "/v1/connectors", "{'listing_id':'cn-sandbox','name':'sandbox'}"));
    call(200, "GET", "/v1/connectors", null);
    call(200, "GET", "/v1/connectors/" + id, null);
    call(200, "PATCH", "/v1/connectors/" + id, "{'name':'sandpit'}");
    call(200, "POST", "/v1/connectors/" + id + "/test", "{}");
    authorization();
    return id;
  }

  /** A connector that is to be authorised, by a server that nobody answers for. */
  private void authorization() throws Exception {
    JsonNode connector =
        call(
            201,
            "POST",
            "/v1/connectors",
            "{'listing_id':'cn-asana','name':'tasks','config':{'oauth2':{'token_url':"
                + "'http://127.0.0.1:9/token'}},'credentials':{'type':'oauth2','client_id':'c'}}");
    String path = "/v1/connectors/" + id(connector);
    String url = call(200, "POST", path + "/authorize", "{}").path("authorization_url").textValue();
    String state = url.replaceAll(".*[?&](state=[^&]*).*", "$1");
    call(502, "GET", "/v1/oauth/callback?code=c&" + state, null);
    call(200, "DELETE", path, null);
  }

  private String operators(String connector) throws Exception {
    String id = id(call(201, "POST", "/v1/operators", OPERATOR.replace("CONNECTOR", connector)));
    String path = "/v1/operators/" + id;
    call(200, "GET", "/v1/operators", null);
    call(200, "GET", path, null);
    call(200, "PATCH", path, "{'display_name':'Refunds'}");
    call(200, "POST", path + "/pause", "{}");
    call(200, "POST", path + "/resume", "{}");
    JsonNode guardrails = call(200, "GET", path + "/guardrails", null);
    call(
        200,
        "PUT",
        path + "/guardrails",
        Json.write(
            Map.of(
                "guardrails", guardrails.path("guardrails"),
                "expected_version", guardrails.path("guardrails_version"))));
    call(
        200,
        "POST",
        path + "/guardrails/simulate",
        "{'actions':[{'connector':'"
            + connector
            + "','tool':'sandbox.payment.refund','args':{'order':'1','amount':'5'},"
            + "'value':'5','entity_key':'order:1'}]}");
    call(200, "POST", path + "/guardrails/analyze", "{}");
    String draft = id(call(201, "POST", "/v1/operators", "{'name':'draft','status':'draft'}"));
    call(200, "POST", "/v1/operators/" + draft + "/publish", "{}");
    return id;
  }

  private void plans(String operator, String connector) throws Exception {
    String event = ingest("1042", "42.00"); // held
    String small = ingest("1043", "4.00"); // runs by itself
    call(200, "GET", "/v1/events", null);
    call(200, "GET", "/v1/events/" + event, null);
    stream(event);
    String held = plan(event, "proposed");
    plan(small, "executed");
    call(200, "GET", "/v1/plans/" + held, null);
    call(200, "GET", "/v1/plans/" + held + "/proposal", null);
    JsonNode approved = call(200, "POST", "/v1/plans/" + held + "/approve", "{'approver':'dana'}");
    String action = approved.at("/results/0/action_id").textValue();
    call(200, "GET", "/v1/actions/" + action, null);
    call(200, "POST", "/v1/actions/" + action + "/undo", "{'reason':'mistake'}");
    call(200, "GET", "/v1/actions", null);
    JsonNode receipts = call(200, "GET", "/v1/receipts", null);
    call(200, "GET", "/v1/receipts/" + receipts.at("/data/0/id").textValue(), null);
    String export = id(call(201, "POST", "/v1/receipts/exports", "{'format':'csv'}"));
    TestService.await(
        () -> get("/v1/receipts/exports/" + export).path("status").textValue().equals("complete"));
    call(200, "GET", "/v1/receipts/exports", null);
    call(202, "POST", "/v1/operators/" + operator + "/repropose", "{'event_id':'" + event + "'}");
    String vetoed = plan(event, "proposed");
    call(200, "POST", "/v1/plans/" + vetoed + "/veto", "{'reason':'no'}");
    propose(operator, connector, "1044", "7.00");
    propose(operator, connector, "1045", "70.00");
    // What is left open expires with the operator, and by its own time.
    call(200, "PATCH", "/v1/operators/" + operator, "{'plan_ttl_seconds':5}");
    String expiring = id(propose(operator, connector, "1046", "80.00"));
    String listed = id(propose(operator, connector, "1047", "80.00"));
    TestService.await(() -> status(expiring).equals("expired"));
    TestService.await(
        () -> {
          JsonNode expired = get("/v1/plans?status=expired");
          return expired.toString().contains(listed);
        });
  }

  /** Follows the events until one comes after a pause in which it looks after its key. */
  private void stream(String after) throws Exception {
    HttpResponse<Stream<String>> response = openStream("?cursor=" + after);
    assertThat(response.statusCode()).isEqualTo(200);
    try (Stream<String> lines = response.body()) {
      assertThat(lines.anyMatch(": keep-alive"::equals)).isTrue();
    }
  }

  private HttpResponse<Stream<String>> openStream(String query) throws Exception {
    return http.send(
        HttpRequest.newBuilder(base.resolve("/v1/events/stream" + query))
            .header("Authorization", "Bearer " + key)
            .build(),
        BodyHandlers.ofLines());
  }

  private String ingest(String order, String total) throws Exception {
    return id(
        call(
            201,
            "POST",
            "/v1/events",
            "{'source':'shop','event_type':'order.complained','payload':{'id':'"
                + order
                + "','total':'"
                + total
                + "'}}"));
  }

  private JsonNode propose(String operator, String connector, String order, String amount)
      throws Exception {
    return call(
        201,
        "POST",
        "/v1/operators/" + operator + "/plans",
        "{'actions':[{'connector':'"
            + connector
            + "','tool':'sandbox.payment.refund','args':{'order':'"
            + order
            + "','amount':'"
            + amount
            + "'},'value':'"
            + amount
            + "','entity_key':'order:"
            + order
            + "'}]}");
  }

  /** The plan of the event that has the status, once there is one. */
  private String plan(String event, String status) throws Exception {
    String path = "/v1/plans?event_id=" + event + "&status=" + status;
    TestService.await(() -> !get(path).path("data").isEmpty());
    return get(path).at("/data/0/id").textValue();
  }

  private String status(String plan) {
    return get("/v1/plans/" + plan).path("status").textValue();
  }

  private JsonNode get(String path) {
    try {
      return call(200, "GET", path, null);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private JsonNode call(int status, String method, String path, @Nullable String body)
      throws Exception {
    HttpResponse<String> response = send(method, path, body);
    assertThat(response.statusCode())
        .as("%s %s: %s %s", method, path, response.body(), faults.get())
        .isEqualTo(status);
    if (body != null && status < 300) {
      anotherBodyIsAConflictUnlessItIsBad(method, path, body);
    }
    return Json.read(response.body());
  }

  /** Under a used key, the fields are looked at first, and nothing behind them is done. */
  private void anotherBodyIsAConflictUnlessItIsBad(String method, String path, String body)
      throws Exception {
    String other = body.replaceFirst("\\}$", body.contains(":") ? ",'other':1}" : "'other':1}");
    String idempotencyKey = idempotencyKey(method, path, body);
    HttpResponse<String> bad = send(method, path, other, "Idempotency-Key", idempotencyKey);
    assertThat(bad.statusCode()).as("%s %s: %s", method, path, bad.body()).isEqualTo(400);
    HttpResponse<String> conflict =
        send(
            method,
            path,
            other,
            "Idempotency-Key",
            idempotencyKey,
            "Service-Version",
            "2026-05-01");
    assertThat(conflict.statusCode()).as("%s %s: %s", method, path, conflict.body()).isEqualTo(409);
  }

  private static String idempotencyKey(String method, String path, String body) {
    return method + path + body.hashCode();
  }

  private HttpResponse<String> send(String method, String path, @Nullable String body)
      throws Exception {
    return body == null
        ? send(method, path, null, "Accept", "*/*")
        : send(method, path, body, "Idempotency-Key", idempotencyKey(method, path, body));
  }

  private HttpResponse<String> send(
      String method, String path, @Nullable String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Authorization", "Bearer " + key)
            .headers(headers);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request
          .header("Content-Type", "application/json")
          .method(method, BodyPublishers.ofString(body.replace('\'', '"')));
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static String id(JsonNode object) {
    return object.path("id").textValue();
  }
}
