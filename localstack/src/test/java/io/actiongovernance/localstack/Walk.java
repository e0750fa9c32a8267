package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A day in the life of a tenant: every route is asked for at least once, and answers that it has
 * done what it was asked for.
 */
public final class Walk {
  /** Webhooks go to this machine, where nobody answers, and are given up after two attempts. */
  public static final Map<String, String> SETTINGS =
      Map.of("GOVERNANCE_WEBHOOK_RETRY_SECONDS", "0,1", "GOVERNANCE_EGRESS_ALLOW", "127.0.0.1/32");

  private final Calls calls;

  public Walk(Calls calls) {
    this.calls = calls;
  }

  /** How the requests of a walk are made, by the tenant's admin. */
  public interface Calls {
    /**
     * @param body JSON text, or null for none
     */
    Answered send(String method, String path, @Nullable String body) throws Exception;

    /** Follows a stream until it has this line. */
    void stream(String path, String until) throws Exception;
  }

  /** What came of a request. */
  public record Answered(int status, String body) {}

  /** Asks for everything but what comes by a schedule. */
  public void walk() throws Exception {
    call(404, "GET", "/v1/no-such-path", null);
    call(200, "GET", "/v1/revisions", null);
    call(200, "GET", "/v1/allowance", null);
    call(200, "PATCH", "/v1/allowance", "{'hard_cap':100000}");
    JsonNode halt = call(201, "POST", "/v1/halts", "{'scope':'tenant','reason':'stop'}");
    call(200, "GET", "/v1/halts", null);
    call(200, "POST", "/v1/halts/" + halt.path("id").textValue() + "/lift", "{'reason':'on'}");
    call(200, "GET", "/v1/openapi.json", null);
    for (String page :
        List.of("/docs", "/docs/errors", "/docs/changelog", "/docs/redoc.standalone.js")) {
      calls.send("GET", page, null);
    }
    keys();
    webhooks();
    String connector = connectors();
    String operator = operators(connector);
    plans(operator, connector);
    call(200, "DELETE", "/v1/operators/" + operator, null);
    call(200, "DELETE", "/v1/connectors/" + connector, null);
  }

  /** No more than it takes to have one plan approved; yields its identifier. */
  public String approval() throws Exception {
    String connector =
        id(call(201, "POST", "/v1/connectors", "{'listing_id':'cn-sandbox','name':'sandbox'}"));
    call(201, "POST", "/v1/operators", OPERATOR.replace("CONNECTOR", connector));
    String held = plan(ingest("1042", "42.00"), "proposed");
    call(200, "GET", "/v1/plans/" + held, null);
    call(200, "POST", "/v1/plans/" + held + "/approve", "{'approver':'dana'}");
    return held;
  }

  /** Follows the stream to an event that came after another. */
  public void streamed() throws Exception {
    String event = "{'source':'shop','event_type':'shop.opened','payload':{'of':'%s'}}";
    String before = id(call(201, "POST", "/v1/events", event.formatted("today")));
    call(201, "POST", "/v1/events", event.formatted("tomorrow"));
    calls.stream("/v1/events/stream?cursor=" + before, "event: envelope");
  }

  /**
   * Has an operator propose by its schedule.
   *
   * @param comeDue has the operator's schedule be due, for which one would otherwise wait a minute
   */
  void schedule(Consumer<String> comeDue) throws Exception {
    String id =
        id(
            call(
                201,
                "POST",
                "/v1/operators",
                "{'name':'daily','triggers':{'schedule':'rate(1 minute)'},'model':{'provider':"
                    + "'scripted','plans':[{'event_type':null,'reasoning':'It is time.',"
                    + "'actions':[{'connector':'cn_0','tool':'none','entity_key':'desk'}]}]}}"));
    comeDue.accept(id);
    // What names no connector is refused, with a receipt.
    TestService.await(() -> get("/v1/receipts?operator_id=" + id).toString().contains("refused"));
  }

  private void keys() throws Exception {
    String id = id(call(201, "POST", "/v1/keys", "{'name':'second','role':'admin'}"));
    call(200, "GET", "/v1/keys", null);
    call(200, "GET", "/v1/keys/" + id, null);
    call(200, "PATCH", "/v1/keys/" + id, "{'owner':'dana'}");
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
    // An entity has settled soon, so that one is there to be forgotten.
    String id =
        id(
            call(
                201,
                "POST",
                "/v1/connectors",
                "{'listing_id':'cn-sandbox','name':'sandbox','config':{'settle_seconds':1}}"));
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
    call(200, "GET", path + "/guardrails/versions", null);
    call(200, "GET", path + "/guardrails/versions/1", null);
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
    calls.stream("/v1/events/stream?cursor=" + event, ": keep-alive");
    String held = plan(event, "proposed");
    plan(small, "executed");
    call(200, "GET", "/v1/plans/" + held, null);
    call(200, "GET", "/v1/plans/" + held + "/proposal", null);
    JsonNode approved = call(200, "POST", "/v1/plans/" + held + "/approve", "{'approver':'dana'}");
    call(200, "GET", "/v1/approvals/" + approved.path("approval_id").textValue(), null);
    String action = approved.at("/results/0/action_id").textValue();
    call(200, "GET", "/v1/actions/" + action, null);
    call(200, "POST", "/v1/actions/" + action + "/undo", "{'reason':'mistake'}");
    call(200, "GET", "/v1/actions", null);
    resolution();
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
    String withdrawn = id(propose(operator, connector, "1049", "70.00"));
    call(200, "POST", "/v1/plans/" + withdrawn + "/withdraw", "{'reason':'mistake'}");
    // A second from now the sweeper starts the timer of this one.
    call(200, "PATCH", "/v1/operators/" + operator, "{'plan_ttl_seconds':901}");
    propose(operator, connector, "1048", "80.00");
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

  /** An action of which no reply comes is unknown, until somebody says what came of it. */
  private void resolution() throws Exception {
    String lost = plan(ingest("order.lost", "1041", "4.00"), "executed");
    String action = get("/v1/plans/" + lost).at("/actions/0/id").textValue();
    JsonNode unresolved = call(200, "GET", "/v1/actions?unresolved=true", null);
    assertThat(unresolved.at("/data/0/id").textValue()).isEqualTo(action);
    call(
        200,
        "POST",
        "/v1/actions/" + action + "/resolve",
        "{'outcome':'applied','upstream_reference':'re_1','reason':'It is in the books.'}");
    assertThat(get("/v1/actions?unresolved=true").path("data")).isEmpty();
    // What waits for the entity runs once it has settled.
    plan(ingest("1041", "5.00"), "executed");
  }

  private String ingest(String order, String total) throws Exception {
    return ingest("order.complained", order, total);
  }

  private String ingest(String type, String order, String total) throws Exception {
    return id(
        call(
            201,
            "POST",
            "/v1/events",
            "{'source':'shop','event_type':'"
                + type
                + "','payload':{'id':'"
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
        "{'actions':[{'idempotency_key':'refund-"
            + order
            + "','connector':'"
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
    Answered answered = calls.send(method, path, body == null ? null : body.replace('\'', '"'));
    assertThat(answered.status()).as("%s %s: %s", method, path, answered.body()).isEqualTo(status);
    return Json.read(answered.body());
  }

  private static String id(JsonNode object) {
    return object.path("id").textValue();
  }

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
          'value':'{{payload.total}}','entity_key':'order:{{payload.id}}'}]},
        {'event_type':'order.lost','actions':[
         {'connector':'CONNECTOR','tool':'sandbox.payment.refund',
          'args':{'order':'{{payload.id}}','amount':'{{payload.total}}','simulate':'timeout'}}]}]}}
      """;
}
