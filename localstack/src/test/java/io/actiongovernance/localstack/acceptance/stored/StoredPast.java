package io.actiongovernance.localstack.acceptance.stored;

import static io.actiongovernance.localstack.acceptance.stored.StoredRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Behaviour;
import io.actiongovernance.localstack.acceptance.stored.StoredRequests.Sent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What has come of a tenant's plans when its process is killed: every outcome there is, plans that
 * wait for people, halts, deliveries, exports. Not thread-safe.
 */
final class StoredPast {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** More than are made of a call. */
  private static final int ATTEMPTS = 1_000;

  /** More than a log has before it notes how far it is settled. */
  private static final int EVENTS = 70;

  private final StoredScenario scenario;
  private final StoredRequests requests;
  private final StoredNeighbours neighbours;
  private final Map<String, JsonNode> things;

  /**
   * @param things what is to be known of it, by name, to which this adds
   */
  StoredPast(
      StoredScenario scenario,
      StoredRequests requests,
      StoredNeighbours neighbours,
      Map<String, JsonNode> things) {
    this.scenario = scenario;
    this.requests = requests;
    this.neighbours = neighbours;
    this.things = things;
  }

  /** Makes all of it. */
  void make() {
    Sent lost = losing();
    approved();
    undone();
    notApplied();
    unknown();
    elsewhere();
    held();
    events();
    halts();
    capped();
    large();
    deliveries();
    export("{'format':'jsonl'}");
    export("{'format':'csv','outcome':'applied'}");
    export("{'until':'2020-01-01T00:00:00Z'}");
    scheduled();
    lost(lost);
  }

  /** A call that may be repeated, and is for as long as it may be, but never answered. */
  private Sent losing() {
    Behaviour[] drops = new Behaviour[ATTEMPTS];
    Arrays.fill(drops, new Behaviour.ActAndDrop());
    neighbours.upstream().next("/notes/lost", drops);
    ObjectNode note = scenario.note("lost", "lost");
    things.put("lost", note);
    return requests.begin("proposer", scenario.plans("quick"), StoredScenario.proposal(note));
  }

  private void lost(Sent proposing) {
    JsonNode plan = executed(proposing.running().result().json());
    String receipts = "/v1/receipts?outcome=unknown&plan_id=" + plan.path("id").asText();
    assertThat(requests.as("admin").get(receipts).data()).hasSize(1);
    neighbours.upstream().asUsual("/notes/lost");
    keep("unknown by its lost replies", plan);
  }

  /** Waits until a plan has this status. */
  private JsonNode await(String as, String plan, String status) {
    return Await.until(
        LONGEST,
        () -> requests.as(as).get("/v1/plans/" + plan).is(200),
        now -> now.path("status").asText().equals(status));
  }

  private JsonNode executed(JsonNode plan) {
    return await("admin", plan.path("id").asText(), "executed");
  }

  private JsonNode approve(JsonNode plan, String body) {
    return requests.post("admin", path(plan) + "/approve", json(body));
  }

  private static String path(JsonNode plan) {
    return "/v1/plans/" + plan.path("id").asText();
  }

  private static String action(JsonNode plan, int position) {
    return plan.path("actions").path(position).path("id").asText();
  }

  private void keep(String name, JsonNode plan) {
    things.put(name, StoredScenario.known(plan));
  }

  private void approved() {
    JsonNode plan = scenario.propose("desk", scenario.refund("r1"), scenario.refund("r2"));
    approve(
        plan,
        "{'action_ids':['%s'],'approver':'dana@acme.example','note':'Só ok.'}"
            .formatted(action(plan, 0)));
    keep("approved", plan);
    traced();
    // The same key once more is a replay, and for something else it is refused.
    things.put("applied", scenario.refund("r1"));
    executed(scenario.propose("quick", scenario.refund("r1")));
    ObjectNode other = scenario.refund("r1");
    ((ObjectNode) other.path("args")).put("amount", "4.21");
    requests.refused("proposer", scenario.plans("quick"), StoredScenario.proposal(other));
  }

  /** What was done in somebody's trace. */
  private void traced() {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    executed(
        requests
            .as("proposer")
            .post(
                scenario.plans("quick"),
                StoredScenario.proposal(scenario.refund("traced")),
                "traceparent",
                trace)
            .is(201));
    JsonNode event = json("{'source':'shop','event_type':'trace.begun','payload':{}}");
    requests.as("admin").post("/v1/events", event, "traceparent", trace).is(201);
  }

  private void undone() {
    for (String charge : List.of("undone", "undoable", "undoing")) {
      JsonNode plan = scenario.propose("quick", scenario.refund(charge));
      keep(charge, executed(plan));
      if (charge.equals("undone")) {
        requests.post(
            "operate",
            "/v1/actions/" + action(plan, 0) + "/undo",
            json("{'reason':'A mistake.','undone_by':'dana'}"));
      }
    }
    JsonNode box =
        scenario.propose(
            "agents",
            scenario.action(
                "box",
                "sandbox.payment.refund",
                "{'order':'1042','amount':'42.00','currency':'usd'}",
                "box-1042"));
    keep("of the sandbox", executed(box));
  }

  private void notApplied() {
    JsonNode vetoed = scenario.propose("desk", scenario.refund("vetoed"));
    requests.post("operate", path(vetoed) + "/veto", json("{'reason':'Paid last\\u00a0week.'}"));
    JsonNode expired = scenario.propose("fleeting", scenario.refund("expired"));
    await("admin", expired.path("id").asText(), "expired");
    requests.refused(
        "proposer",
        scenario.plans("quick"),
        StoredScenario.proposal(
            scenario
                .action("shop", "data.record.delete", "{'record':'1'}", "never")
                .put("entity_key", "record:1")));
    neighbours.upstream().next("/refunds/failed", new Behaviour.Fail(404, "{\"no\":1}", Map.of()));
    neighbours.upstream().next("/refunds/odd", new Behaviour.Fail(418));
    executed(scenario.propose("quick", scenario.refund("failed"), scenario.refund("odd")));
  }

  private JsonNode unknown(String operator, ObjectNode action, String path) {
    neighbours.upstream().next(path, new Behaviour.ActAndDrop());
    JsonNode plan = executed(scenario.propose(operator, action));
    String receipts = "/v1/receipts?outcome=unknown&plan_id=" + plan.path("id").asText();
    assertThat(requests.as("admin").get(receipts).data()).hasSize(1);
    return plan;
  }

  private void unknown() {
    keep("unknown", unknown("limited", scenario.refund("unknown"), "/refunds/unknown"));
    // Unknown for its holder's sake.
    executed(scenario.propose("quick", scenario.refund("unknown")));
    ObjectNode hold = scenario.action("shop", "pay.hold.create", "{'charge':'held'}", "hold-1");
    JsonNode resolved = unknown("quick", hold, "/holds/held");
    requests.post(
        "admin",
        "/v1/actions/" + action(resolved, 0) + "/resolve",
        json("{'outcome':'applied','reason':'It is there.','upstream_reference':'re_known'}"));
    keep("resolved", resolved);
    ObjectNode freed = scenario.action("shop", "pay.hold.create", "{'charge':'freed'}", "hold-2");
    requests.post(
        "admin",
        "/v1/actions/" + action(unknown("quick", freed, "/holds/freed"), 0) + "/resolve",
        json("{'outcome':'not_applied','reason':'It is not.'}"));
  }

  /** In other places: a workspace, a server of tools, another account. */
  private void elsewhere() {
    JsonNode north =
        requests.post(
            "north",
            scenario.plans("north-desk"),
            StoredScenario.proposal(
                scenario.action("north-shop", "pay.hold.create", "{'charge':'n'}", "north-1")));
    await("north", north.path("id").asText(), "executed");
    ObjectNode served =
        scenario.action("served", "srv.refund_create", "{'order':'7','amount':42.00}", "served-1");
    JsonNode plan = scenario.propose("agents", served);
    approve(plan, "{}");
    keep("served", executed(plan));
    requests.post(
        "agent",
        scenario.plans("quick"),
        StoredScenario.proposal(scenario.note("by-the-agent", "agent")));
    executed(
        scenario.propose(
            "quick",
            scenario.action("settling", "pay.charge.read", "{'charge':'read'}", "read-1")));
  }

  private void held() {
    for (String charge : List.of("to-approve", "to-veto", "to-stay")) {
      keep("held " + charge, scenario.propose("desk", scenario.refund(charge)));
    }
    ObjectNode served =
        scenario.action("served", "srv.refund_create", "{'order':'8','amount':'1.10'}", "served-2");
    keep("held of the server", scenario.propose("agents", served));
    modelAnswers(
        json(
            """
            {'reasoning':'Lost.','actions':[{'connector':'%s','tool':'pay.refund.create',
              'args':{'charge':'modelled'}}]}
            """
                .formatted(scenario.id("shop"))));
    String event = event("ticket.created", "{'id':'modelled'}");
    keep("held of the model", plansOf(event, 1).getFirst());
  }

  private void modelAnswers(JsonNode arguments) {
    JsonNode completion =
        json(
            """
            {'choices':[{'finish_reason':'tool_calls','message':{'role':'assistant','tool_calls':[
              {'id':'call_1','type':'function','function':{'name':'propose_plan'}}]}}]}
            """);
    ((ObjectNode) completion.at("/choices/0/message/tool_calls/0/function"))
        .put("arguments", Json.write(arguments));
    neighbours
        .upstream()
        .next("/v1/chat/completions", new Behaviour.Reply(200, Json.write(completion)));
  }

  private String event(String type, String payload) {
    return requests
        .post(
            "ingest",
            "/v1/events",
            json("{'source':'shop','event_type':'%s','payload':%s}".formatted(type, payload)))
        .path("id")
        .asText();
  }

  private List<JsonNode> plansOf(String event, int many) {
    return Await.until(
            LONGEST,
            () -> requests.as("admin").get("/v1/plans?event_id=" + event).ids(),
            ids -> ids.size() == many)
        .stream()
        .map(id -> requests.as("admin").get("/v1/plans/" + id).is(200))
        .toList();
  }

  private void events() {
    JsonNode noted = plansOf(event("order.paid", "{'id':'e1','total':100.11}"), 1).getFirst();
    executed(noted);
    keep(
        "held of the script",
        plansOf(event("order.shipped", "{'id':'e2','total':7}"), 1).getFirst());
    requests.post(
        "north",
        "/v1/events",
        json(
            """
            {'source':'mine','event_type':'order.odd','agent_id':'a','session_id':'s','payload':{
              'text':'\\u0000\\u001f\\u007f \\u2028 \\ud83d\\ude00 é','numbers':[42.00,42,4.2e1,-0,-0.0,
                1e90,-1E-90,12345678901234567890.123456789],'nothing':[{},[],null,true,'']}}
            """));
    requests.post(
        "ingest",
        "/v1/events",
        json(
            "{'source':'warehouse','event_type':'stock.counted','payload':{'text':'%s'}}"
                .formatted("large ".repeat(40_000))));
    for (int number = 0; number < 3; number++) {
      event("noise.made", "{'number':%d}".formatted(number));
    }
    String again = event("order.late", "{'id':'e3','total':1}");
    plansOf(again, 1);
    requests.post(
        "admin",
        "/v1/operators/" + scenario.id("scripted") + "/repropose",
        json("{'event_id':'%s'}".formatted(again)));
    plansOf(again, 2);
  }

  private void halts() {
    String lifted =
        halt("{'scope':'connector','id':'%s','reason':'Look.'}".formatted(scenario.id("shop")));
    Await.pause(Duration.ofMillis(1_500));
    requests.post("admin", "/v1/halts/" + lifted + "/lift", json("{'reason':'All well.'}"));
    JsonNode plan =
        scenario.propose(
            "halted",
            scenario.refund("parked"),
            scenario.note("parked-1", "parked"),
            scenario.note("parked-2", "parked"));
    keep("parked", plan);
    keep("held under a halt", scenario.propose("halted", scenario.refund("frozen")));
    Upstream.Gate gate = neighbours.upstream().hold("/refunds/parked");
    Sent approving = requests.begin("admin", path(plan) + "/approve", json("{}"));
    gate.awaitCall();
    String standing =
        halt("{'scope':'operator','id':'%s','reason':'Stop.'}".formatted(scenario.id("halted")));
    things.put("halt", Json.object().put("id", standing));
    gate.open();
    Await.until(
        LONGEST,
        () -> requests.as("admin").get("/v1/actions/" + action(plan, 0)).is(200),
        now -> now.path("ok").asBoolean());
    ObjectNode waiting = scenario.note("behind-the-halt", "waiting");
    keep("waiting for a halt", scenario.propose("halted", waiting));
    // It has gone on for too long to be waited for.
    assertThat(approving.running().result().status()).isEqualTo(503);
    things.put("approval under a halt", Json.tree(approving.asked()));
  }

  private String halt(String body) {
    return requests.post("operate", "/v1/halts", json(body)).path("id").asText();
  }

  /** In mode test, where the allowance is used up. */
  private void capped() {
    requests.send("test", "PATCH", "/v1/allowance", json("{'hard_cap':1}"));
    JsonNode applied =
        requests.post(
            "test",
            scenario.plans("capped"),
            StoredScenario.proposal(
                scenario.action("test-shop", "pay.hold.create", "{'charge':'c1'}", "capped-1")));
    await("test", applied.path("id").asText(), "executed");
    JsonNode waiting =
        requests.post(
            "test",
            scenario.plans("capped"),
            StoredScenario.proposal(
                scenario.action("test-shop", "pay.hold.create", "{'charge':'c2'}", "capped-2")));
    assertThat(waiting.path("waiting_on").asText()).isEqualTo("allowance");
    keep("waiting for the allowance", waiting);
  }

  /** What is kept in items of its own, or in more than one. */
  private void large() {
    ObjectNode[] notes =
        IntStream.range(0, 10)
            .mapToObj(number -> scenario.note("large-" + number, "large"))
            .toArray(ObjectNode[]::new);
    for (ObjectNode note : notes) {
      ((ObjectNode) note.path("args")).put("text", "long ".repeat(100));
    }
    executed(scenario.propose("quick", notes));
    // The shop repeats what it is told: this result is in a file.
    ObjectNode longest = scenario.note("longest", "longest");
    ((ObjectNode) longest.path("args")).put("text", "long ".repeat(5_000));
    executed(scenario.propose("quick", longest));
    for (int number = 0; number < EVENTS; number++) {
      requests
          .as("test")
          .post("/v1/events", json("{'source':'many','event_type':'noise.made','payload':{}}"))
          .is(201);
    }
    requests.as("test").get("/v1/events").is(200);
  }

  /** An operator whose time has come once. */
  private void scheduled() {
    String plans = "/v1/plans?status=executed&operator_id=" + scenario.id("early");
    Await.until(LONGEST, () -> requests.as("admin").get(plans).ids(), ids -> !ids.isEmpty());
    requests.post("admin", "/v1/operators/" + scenario.id("early") + "/pause", Json.object());
  }

  private void deliveries() {
    neighbours.receiver().next("/refusing", new Receiver.Behaviour.Answer(410));
    delivery("refusing", "failed");
    delivery("rotated", "succeeded");
    Await.until(
        LONGEST,
        () ->
            requests
                .as("admin")
                .get("/v1/webhook_endpoints/" + scenario.id("heard") + "/deliveries?status=pending")
                .ids(),
        List::isEmpty);
  }

  private void delivery(String endpoint, String status) {
    String path = "/v1/webhook_endpoints/" + scenario.id(endpoint);
    JsonNode made =
        requests.post("admin", path + "/test", json("{'type':'webhook_endpoint.status_changed'}"));
    String delivery = path + "/deliveries/" + made.path("id").asText();
    Await.until(
        LONGEST,
        () -> requests.as("admin").get(delivery).is(200),
        now -> now.path("status").asText().equals(status));
  }

  private void export(String body) {
    JsonNode made = requests.post("admin", "/v1/receipts/exports", json(body));
    Await.until(
        LONGEST,
        () -> requests.as("admin").get("/v1/receipts/exports/" + made.path("id").asText()).is(200),
        now -> now.path("status").asText().equals("complete"));
  }
}
