package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.priming.SourceSystem;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.samples.SampleRequest;
import io.actiongovernance.functions.samples.SampleRequests;
import io.actiongovernance.functions.samples.SampleTenant;
import io.actiongovernance.json.Json;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The {@link SampleRequests} of a tenant of a running stack, and what goes on in it by itself:
 * every route is asked for at least once, and answers that it has done what it was asked for.
 */
public final class Walk implements SampleTenant, AutoCloseable {
  /** What connectors and webhooks speak to is on this machine; webhooks are attempted twice. */
  public static final Map<String, String> SETTINGS =
      Map.of(
          "GOVERNANCE_WEBHOOK_RETRY_SECONDS",
          "0,1",
          "GOVERNANCE_EGRESS_ALLOW",
          SourceSystem.ADDRESSES);

  private final Calls calls;
  private final SourceSystem shop = new SourceSystem();
  private final SampleRequests samples = new SampleRequests(Routes.all(), this, shop::url);

  public Walk(Calls calls) {
    this.calls = calls;
  }

  /** How the requests of a walk are made, by the tenant's admin. */
  public interface Calls {
    /**
     * @param body JSON text, or null for none
     * @param secret of another key than the admin's, or null
     */
    Answered send(String method, String path, @Nullable String body, @Nullable String secret)
        throws Exception;

    /** Follows a stream until it has this line. */
    void stream(String path, String until) throws Exception;
  }

  /** What came of a request. */
  public record Answered(int status, String body) {}

  /** Asks for everything but what comes by a schedule. */
  public void walk() throws Exception {
    assertThat(calls.send("GET", "/v1/no-such-path", null, null).status()).isEqualTo(404);
    for (Route route : Routes.all()) {
      if (SampleRequests.isOfPeople(route)) {
        SampleRequest asked = samples.request(route);
        Answered refused =
            calls.send(route.method().name(), asked.path(), asked.body(), asked.secret());
        assertThat(refused.status()).isBetween(400, 404);
      } else if (!route.streams()) {
        samples.send(route);
      }
    }
    String event = ingest("order.complained", "7", "4.00");
    calls.stream("/v1/events/stream?cursor=" + event, ": keep-alive");
    plan(event, "executed");
    resolution();
    export();
    expiry();
  }

  /** No more than it takes to have one plan approved; yields its identifier. */
  public String approval() throws Exception {
    SampleRequest approve = samples.request(PlanRoutes.APPROVE_PLAN);
    String plan = Objects.requireNonNull(approve.named().get("plan_id"));
    get("/v1/plans/" + plan);
    answer(approve);
    return plan;
  }

  /** Follows the stream to an event that came after another. */
  public void streamed() throws Exception {
    String before = ingest("shop.opened", "today", "0");
    ingest("shop.opened", "tomorrow", "0");
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
                "POST",
                "/v1/operators",
                "{'name':'daily','triggers':{'schedule':'rate(1 minute)'},'model':{'provider':"
                    + "'scripted','plans':[{'event_type':null,'reasoning':'It is time.',"
                    + "'actions':[{'connector':'cn_0','tool':'none','entity_key':'desk'}]}]}}"));
    comeDue.accept(id);
    // What names no connector is refused, with a receipt.
    await(() -> get("/v1/receipts?operator_id=" + id).toString().contains("refused"));
  }

  /** An action of which no reply comes is unknown, until somebody says what came of it. */
  private void resolution() throws Exception {
    String lost = plan(ingest("order.lost", "8", "4.00"), "executed");
    String action = get("/v1/plans/" + lost).at("/actions/0/id").textValue();
    String unresolved = "/v1/actions?unresolved=true";
    assertThat(get(unresolved).toString()).contains(action);
    call(
        "POST",
        "/v1/actions/" + action + "/resolve",
        "{'outcome':'applied','upstream_reference':'le_1','reason':'It is in the books.'}");
    assertThat(get(unresolved).toString()).doesNotContain(action);
    // What waits for the entity runs once it has settled.
    plan(ingest("order.complained", "8", "5.00"), "executed");
  }

  private void export() {
    String export = "/v1/receipts/exports/" + samples.id("export_id");
    await(() -> get(export).path("status").textValue().equals("complete"));
  }

  /** What is left open expires with the operator, and by its own time. */
  private void expiry() throws Exception {
    String operator = "/v1/operators/" + samples.id("operator_id");
    // A second from now the sweeper starts the timer of this one.
    call("PATCH", operator, "{'plan_ttl_seconds':901}");
    propose(operator, "9");
    call("PATCH", operator, "{'plan_ttl_seconds':5}");
    String expiring = propose(operator, "10");
    String listed = propose(operator, "11");
    await(() -> get("/v1/plans/" + expiring).path("status").textValue().equals("expired"));
    await(() -> get("/v1/plans?status=expired").toString().contains(listed));
  }

  private String ingest(String type, String order, String total) throws Exception {
    String event = "{'source':'shop','event_type':'%s','payload':{'id':'%s','total':'%s'}}";
    return id(call("POST", "/v1/events", event.formatted(type, order, total)));
  }

  /** A plan that waits for approval. */
  private String propose(String operator, String order) throws Exception {
    String body =
        "{'actions':[{'connector':'%1$s','tool':'shop.refund.create','args':{'order':'%2$s',"
            + "'amount':'80.00'},'idempotency_key':'refund-%2$s'}]}";
    return id(call("POST", operator + "/plans", body.formatted(samples.id("connector_id"), order)));
  }

  /** The plan of the event that has the status, once there is one. */
  private String plan(String event, String status) {
    String path = "/v1/plans?event_id=" + event + "&status=" + status;
    await(() -> !get(path).path("data").isEmpty());
    return id(get(path).at("/data/0"));
  }

  private JsonNode get(String path) {
    return Json.read(sent("GET", path, null, null));
  }

  private JsonNode call(String method, String path, String body) {
    return Json.read(sent(method, path, body.replace('\'', '"'), null));
  }

  @Override
  public String answer(SampleRequest request) {
    String query =
        request.query().entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue())
            .collect(Collectors.joining("&"));
    String path = request.path() + (query.isEmpty() ? "" : "?" + query);
    return sent(request.route().method().name(), path, request.body(), request.secret());
  }

  private String sent(String method, String path, @Nullable String body, @Nullable String secret) {
    try {
      Answered answered = calls.send(method, path, body, secret);
      assertThat(answered.status())
          .as("%s %s: %s", method, path, answered.body())
          .isBetween(200, 302);
      return answered.body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void await(BooleanSupplier condition) {
    try {
      TestService.await(condition);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String id(JsonNode object) {
    return object.path("id").textValue();
  }

  @Override
  public void close() {
    shop.close();
  }
}
