package io.actiongovernance.localstack.acceptance.stored;

import static io.actiongovernance.localstack.acceptance.stored.StoredRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Authority;
import io.actiongovernance.localstack.acceptance.fixture.McpUpstream;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/**
 * What a data folder is filled with that is kept: a tenant with keys, connectors, operators and
 * webhook endpoints of every kind. What they have done, and are doing, is in {@link StoredPast} and
 * {@link StoredInFlight}. Not thread-safe.
 */
final class StoredScenario {
  /** Tools of a shop; {@code desk.note.add} may be called again under its key, refunds may not. */
  private static final String TOOLS =
      """
      [{'name':'pay.refund.create','capability':'pay.refund','tier':2,'description':'Refunds.',
        'input_schema':{'type':'object','required':['charge'],'additionalProperties':false,
          'properties':{'charge':{'type':'string','title':'The charge'},
            'amount':{'type':['string','number']},'currency':{'type':'string'}}},
        'binds':{'entity':'charge:{{args.charge}}','value':'/amount','currency':'/currency'},
        'summary':'Refund {{args.amount}} of charge {{args.charge}}',
        'retry_safe':false,'reference':'/id','did_not_act':[418],
        'inverse':{'tool':'pay.refund.cancel',
          'args':{'refund':'{{result.id}}','charge':'{{args.charge}}'}},
        'request':{'method':'POST','path':'/refunds/{{args.charge}}'}},
       {'name':'pay.refund.cancel','capability':'pay.refund','tier':2,'description':'Cancels.',
        'input_schema':{'type':'object','required':['refund','charge']},
        'binds':{'entity':'charge:{{args.charge}}'},'retry_safe':true,'reference':'/id',
        'request':{'method':'POST','path':'/cancellations/{{args.refund}}'}},
       {'name':'pay.charge.read','capability':'pay.read','tier':0,'description':'Reads.',
        'input_schema':{'type':'object','required':['charge']},
        'binds':{'entity':['charge:{{args.charge}}']},'retry_safe':true,
        'request':{'method':'GET','path':'/charges/{{args.charge}}'}},
       {'name':'pay.hold.create','capability':'pay.hold','tier':2,'description':'Holds.',
        'input_schema':{'type':'object','required':['charge']},
        'binds':{'entity':'charge:{{args.charge}}'},'retry_safe':false,'reference':'/id',
        'inverse':{'tool':'pay.hold.release','args':{'charge':'{{args.charge}}'}},
        'request':{'method':'POST','path':'/holds/{{args.charge}}'}},
       {'name':'pay.hold.release','capability':'pay.hold','tier':2,'description':'Releases.',
        'input_schema':{'type':'object','required':['charge']},
        'binds':{'entity':'charge:{{args.charge}}'},'retry_safe':false,'reference':'/id',
        'request':{'method':'POST','path':'/releases/{{args.charge}}'}},
       {'name':'desk.note.add','capability':'desk.note','tier':1,'description':'Notes.',
        'input_schema':{'type':'object','required':['note']},
        'retry_safe':true,'retry_safe_seconds':7200,'reference':'/received/text',
        'request':{'method':'POST','path':'/notes/{{args.note}}','query':{'by':'desk'},
          'headers':{'X-Desk':'{{args.note}}'},'body':{'text':'{{args.text}}','n':'{{args.n}}'}}},
       {'name':'desk.ticket.close','capability':'desk.ticket','tier':1,'description':'Closes.',
        'input_schema':{'type':'object','required':['ticket']},
        'retry_safe':true,'reference':'/ticket',
        'success':{'path':'/ok','equals':true,'error':'/why','rejected':['no_auth']},
        'request':{'method':'POST','path':'/tickets/{{args.ticket}}','encoding':'form',
          'body':{'state':'closed','by':{'id':'{{args.by}}'}},'idempotency_header':'X-Once'}},
       {'name':'data.record.delete','capability':'data','tier':3,'description':'Deletes.',
        'input_schema':{'type':'object','required':['record']},
        'retry_safe':false,'request':{'method':'POST','path':'/deletions/{{args.record}}'}}]
      """;

  /** Every decision, every condition, every operator of arguments, every scope of limits. */
  private static final String EVERY_RULE =
      """
      [{'name':'small','decision':'ALLOW','priority':10,'tool':'pay.refund.*',
        'conditions':{'min_value':0,'max_value':50.00,'currency':'usd','entity_key':'charge:*',
          'max_tier':2,'args':[{'path':'/charge','op':'prefix','value':'j'},
            {'path':'/currency','op':'eq','value':'usd'},
            {'path':'/currency','op':'ne','value':'eur'},
            {'path':'/amount','op':'gt','value':'0.00'},{'path':'/amount','op':'gte','value':0},
            {'path':'/amount','op':'lt','value':'100.000'},
            {'path':'/amount','op':'lte','value':1e2},
            {'path':'/currency','op':'in','value':['usd','chf']},
            {'path':'/currency','op':'not_in','value':['eur',1,null]},
            {'path':'/memo~1x','op':'exists','value':false}]},
        'limits':[{'per':'entity','window_seconds':86400,'max_actions':1},
          {'per':'tool','window_seconds':86400,'max_actions':100,'max_value':'1000.00'},
          {'per':'connector','window_seconds':3600,'max_value':500},
          {'per':'operator','window_seconds':2592000,'max_value':'5000.00'},
          {'per':'tenant','window_seconds':60,'max_actions':1000}]},
       {'name':'large','decision':'ALERT','tool':'pay.refund.create',
        'conditions':{'max_value':'1000'}},
       {'name':'never','decision':'BLOCK','tool':'pay.refund.create',
        'conditions':{'min_value':'5000.01'}},
       {'name':'notes','decision':'ALLOW','priority':-5,'tool':'desk.note.add',
        'conditions':{'entity_key':'desk:one'}},
       {'name':'off','decision':'ALLOW','enabled':false,'tool':'data.record.delete'}]
      """;

  private final StoredRequests requests;
  private final StoredNeighbours neighbours;
  private final Map<String, String> keys;
  private final Map<String, String> ids = new LinkedHashMap<>();

  /**
   * @param keys secrets by name, to which what is made is added
   */
  StoredScenario(StoredRequests requests, StoredNeighbours neighbours, Map<String, String> keys) {
    this.requests = requests;
    this.neighbours = neighbours;
    this.keys = keys;
  }

  /** The identifiers of connectors, operators, keys and endpoints by what they are called here. */
  Map<String, String> ids() {
    return ids;
  }

  String id(String name) {
    return Objects.requireNonNull(ids.get(name), name);
  }

  /** Makes all of it. */
  void make() throws Exception {
    key("proposer", "'scopes':['plans:propose','plans:read']");
    key("north", "'role':'admin','workspace_id':'north'");
    key("ingest", "'role':'ingest'");
    key("operate", "'role':'operate','owner':'dana@acme.example'");
    key("lasting", "'role':'read_only','expires_at':'2126-01-01T00:00:00+01:00'");
    key("test-reader", "'role':'read_only','mode':'test'");
    key("revoked", "'role':'read_only'");
    requests.as("admin").delete("/v1/keys/" + id("revoked")).is(200);
    requests.send("admin", "PATCH", "/v1/keys/" + id("ingest"), json("{'owner':'erin'}"));
    connectors();
    authorized();
    operators();
    key("agent", "'role':'agent','operator_ids':['%s']".formatted(id("quick")));
    endpoints();
  }

  /** Makes a key. */
  void key(String name, String fields) {
    JsonNode made =
        requests.post(
            "admin", "/v1/keys", json("{'name':'%s',%s}".formatted("the " + name, fields)));
    keys.put(name, made.path("secret").asText());
    ids.put(name, made.path("id").asText());
  }

  private void connectors() {
    connector("admin", "shop", 60_000, 0, "{'type':'bearer','token':'token-of-the-shop'}");
    connector(
        "admin",
        "settling",
        60_000,
        60,
        "{'type':'basic','username':'desk','password':'password-of-the-desk'}");
    connector("admin", "paced", 1, 0, "{'type':'header','name':'X-Key','value':'key-of-the-pace'}");
    connector("north", "north-shop", 60_000, 0, "{'type':'none'}");
    connector("test", "test-shop", 60_000, 0, "{'type':'none'}");
    connector("admin", "broken", 60_000, 0, "{'type':'none'}");
    neighbours.upstream().next("/", new Upstream.Behaviour.Fail(401, "{}", Map.of()));
    requests
        .as("admin")
        .post("/v1/connectors/" + id("broken") + "/test")
        .isError(422, "auth_failed");
    requests.post("admin", "/v1/connectors/" + id("shop") + "/test", Json.object());
    requests.send("admin", "PATCH", "/v1/connectors/" + id("broken"), json("{'name':'mended'}"));
    connector("admin", "removed", 60_000, 0, "{'type':'none'}");
    requests.as("admin").delete("/v1/connectors/" + id("removed")).is(200);
    install("admin", "box", "{'listing_id':'cn-sandbox','config':{'settle_seconds':5}}");
    neighbours.mcp().closed();
    install(
        "admin",
        "served",
        """
        {'listing_id':'cn-mcp','config':{'url':'%s','prefix':'srv','tiers':{'srv.order_read':0},
           'settle_seconds':0,'did_not_act':['srv.mail_send'],
           'binds':{'srv.refund_create':{'entity':'order:{{args.order}}','value':'/amount'}},
           'inverses':{'srv.refund_create':{'tool':'srv.refund_cancel',
             'args':{'refund':'{{result.id}}','order':'{{args.order}}'}}}},
         'credentials':{'type':'bearer','token':'%s'}}
        """
            .formatted(neighbours.mcp().url(), McpUpstream.TOKEN));
    install(
        "admin",
        "lender",
        """
        {'listing_id':'cn-http','config':{'base_url':'%s','tools':[{'name':'ai.models.list',
           'capability':'ai.models','tier':0,'input_schema':{'type':'object'},
           'request':{'method':'GET','path':'/v1/models'}}]},
         'credentials':{'type':'bearer','token':'token-of-the-models'}}
        """
            .formatted(neighbours.upstream().url()));
  }

  private void connector(String as, String name, int pace, int settle, String credentials) {
    install(
        as,
        name,
        """
        {'listing_id':'cn-http','config':{'base_url':'%s','requests_per_minute':%d,
           'settle_seconds':%d,'tools':%s},'credentials':%s}
        """
            .formatted(neighbours.upstream().url(), pace, settle, TOOLS, credentials));
  }

  private JsonNode install(String as, String name, String body) {
    ObjectNode named = ((ObjectNode) json(body)).put("name", name);
    JsonNode made = requests.post(as, "/v1/connectors", named);
    ids.put(name, made.path("id").asText());
    return made;
  }

  /** One that its owner has authorised, and one that still waits for that. */
  private void authorized() throws Exception {
    Authority authority = neighbours.authority();
    String body =
        """
        {'listing_id':'cn-asana','config':{'base_url':'%1$s','oauth2':{
           'authorization_url':'%1$s/authorize?prompt=consent','token_url':'%1$s/token',
           'token_endpoint_auth':'client_secret_basic','scopes':['tasks:read','tasks:write']}},
         'credentials':{'type':'oauth2','client_id':'%2$s','client_secret':'%3$s'}}
        """
            .formatted(authority.url(), Authority.CLIENT, authority.clientSecret);
    // It is to be renewed by the time that anybody uses it.
    authority.lifetime(Duration.ofSeconds(1));
    JsonNode boards = install("admin", "boards", body);
    consent(requests.as("admin"), boards.path("authorization_url").asText());
    JsonNode tasks = install("admin", "tasks", body);
    ids.put("tasks.authorization_url", tasks.path("authorization_url").asText());
  }

  /** Has the owner of a connector's account consent, and comes back with the browser. */
  static void consent(Api api, String authorizationUrl) throws Exception {
    // The stack is not where it says it is, since it is somewhere else when it is started again.
    URI said = URI.create(authorizationUrl);
    String here = api.baseUrl() + api.below(said) + "?" + said.getRawQuery();
    Answer done = Authority.consent(api, here).come(api);
    if (done.status() != 200) {
      throw new AssertionError(done.status() + " " + done.text());
    }
  }

  private void operators() {
    operator(
        "admin",
        "desk",
        "'guardrails':%s".formatted(guardrails("ALERT", "pay.*.*", "ALLOW", "desk.*.*")));
    operator(
        "admin",
        "quick",
        "'guardrails':%s".formatted(guardrails("ALLOW", "pay.*.*", "ALLOW", "desk.*.*")));
    operator(
        "admin",
        "limited",
        """
        'guardrails':[{'name':'one','decision':'ALLOW','tool':'pay.refund.create',
          'limits':[{'per':'operator','window_seconds':86400,'max_actions':1,'max_value':'9.00'}]}]
        """);
    operator(
        "admin",
        "halted",
        "'guardrails':%s".formatted(guardrails("ALERT", "pay.*.*", "ALLOW", "desk.*.*")));
    operator(
        "admin",
        "fleeting",
        "'plan_ttl_seconds':5,'guardrails':%s".formatted(guardrails("ALERT", "pay.*.*")));
    operator(
        "admin",
        "soon",
        "'plan_ttl_seconds':60,'guardrails':%s".formatted(guardrails("ALERT", "pay.*.*")));
    operator(
        "admin",
        "judge",
        "'capabilities':['pay.refund','desk.note'],'guardrails':%s".formatted(EVERY_RULE));
    for (String note : new String[] {"Looser.", "Tighter."}) {
      String path = "/v1/operators/" + id("judge") + "/guardrails";
      long version = requests.as("admin").get(path).is(200).path("guardrails_version").asLong();
      requests.send(
          "admin",
          "PUT",
          path,
          json(
              "{'expected_version':%d,'note':'%s','guardrails':%s}"
                  .formatted(version, note, note.equals("Tighter.") ? EVERY_RULE : "[]")));
    }
    operator(
        "admin",
        "scripted",
        """
        'display_name':'Scripted désk','description':'Line one\\nline two\\ttab','instructions':'—',
        'triggers':{'event_types':['order.*'],'sources':['shop']},
        'entity_template':'charge:{{payload.id}}','guardrails':%s,
        'model':{'provider':'scripted','plans':[
          {'event_type':'order.paid','when':[{'path':'/total','op':'gt','value':100.10},
             {'path':'/id','op':'exists'}],'reasoning':'Large: {{payload.id}}.',
           'actions':[{'connector':'%s','tool':'desk.note.add','args':{'note':'{{payload.id}}',
             'text':'of {{event_type}}','n':'{{payload.total}}'}}]},
          {'event_type':'order.*','reasoning':'Held.','actions':[{'connector':'%s',
             'tool':'pay.refund.create','args':{'charge':'{{payload.id}}','amount':'{{payload.total}}',
             'currency':'usd'},'idempotency_key':'held-{{payload.id}}'}]}]}
        """
            .formatted(
                guardrails("ALERT", "pay.*.*", "ALLOW", "desk.note.add"), id("shop"), id("shop")));
    operator(
        "admin",
        "modelled",
        """
        'triggers':{'event_types':['ticket.*']},'entity_template':'charge:{{payload.id}}',
        'guardrails':%s,'model':{'provider':'openai_compatible','base_url':'%s/v1','model':'m-1',
          'connector':'%s'}
        """
            .formatted(guardrails("ALERT", "pay.*.*"), neighbours.upstream().url(), id("lender")));
    operator(
        "admin",
        "agents",
        "'guardrails':%s".formatted(guardrails("ALERT", "srv.*", "ALLOW", "sandbox.*.*")));
    operator("admin", "crowded", "'guardrails':%s".formatted(many(150)));
    scheduled("early");
    operator("admin", "yearly", "'triggers':{'schedule':'cron(0 9 1 1 ? *)'}");
    operator("admin", "published", "'status':'draft'");
    requests.post("admin", "/v1/operators/" + id("published") + "/publish", Json.object());
    operator("admin", "drafted", "'status':'draft','triggers':{'schedule':'rate(2 hours)'}");
    operator("admin", "paused", "'guardrails':%s".formatted(guardrails("BLOCK", "data.*.*")));
    requests.post("admin", "/v1/operators/" + id("paused") + "/pause", Json.object());
    operator("admin", "archived", "'description':'Gone.'");
    requests.as("admin").delete("/v1/operators/" + id("archived")).is(200);
    requests.send(
        "admin", "PATCH", "/v1/operators/" + id("yearly"), json("{'description':'Once a year.'}"));
    operator("north", "north-desk", "'guardrails':%s".formatted(guardrails("ALLOW", "pay.*.*")));
    operator("test", "capped", "'guardrails':%s".formatted(guardrails("ALLOW", "pay.*.*")));
  }

  /** Makes an operator that adds a note every minute. */
  void scheduled(String name) {
    operator(
        "admin",
        name,
        """
        'triggers':{'schedule':'rate(1 minute)'},'guardrails':%s,'model':{'provider':'scripted',
          'plans':[{'event_type':null,'reasoning':'It is time.','actions':[{'connector':'%s',
            'tool':'desk.note.add','args':{'note':'%3$s'},'entity_key':'desk:%3$s'}]}]}
        """
            .formatted(guardrails("ALLOW", "desk.*.*"), id("shop"), name));
  }

  /** More guardrails than are kept with their operator. */
  private static String many(int guardrails) {
    return IntStream.range(0, guardrails)
        .mapToObj(
            number ->
                """
                {'name':'crowd-%1$d','decision':'ALLOW','tool':'pay.refund.create',
                 'conditions':{'entity_key':'charge:crowd-%1$d'}}
                """
                    .formatted(number))
        .collect(Collectors.joining(",", "[", "]"));
  }

  /** Decisions and tools in turn. */
  static String guardrails(String... decisions) {
    StringBuilder all = new StringBuilder();
    for (int at = 0; at < decisions.length; at += 2) {
      all.append(at == 0 ? "" : ",")
          .append(
              "{'name':'rule-%d','decision':'%s','tool':'%s'}"
                  .formatted(at, decisions[at], decisions[at + 1]));
    }
    return "[" + all + "]";
  }

  /** Makes an operator. */
  void operator(String as, String name, String fields) {
    JsonNode body = json("{'name':'%s-desk',%s}".formatted(name, fields));
    ids.put(name, requests.post(as, "/v1/operators", body).path("id").asText());
  }

  private void endpoints() {
    endpoint("heard", "'types':['plan.disposed','action.needs_approval']");
    endpoint("rotated", "'types':['webhook_endpoint.status_changed'],'description':'Rotated.'");
    JsonNode rotated =
        requests.send(
            "admin",
            "PATCH",
            "/v1/webhook_endpoints/" + id("rotated"),
            json("{'rotate_secret':true,'rotate_overlap_seconds':604800}"));
    ids.put("rotated.new_secret", rotated.path("secret").asText());
    for (String quiet : new String[] {"refusing", "waiting", "silent"}) {
      endpoint(quiet, "'types':['webhook_endpoint.status_changed']");
    }
    endpoint("disabled", "'types':['receipt.written'],'workspace_id':'north'");
    requests.send(
        "admin", "PATCH", "/v1/webhook_endpoints/" + id("disabled"), json("{'status':'disabled'}"));
    endpoint("deleted", "'types':['receipt.written']");
    requests.as("admin").delete("/v1/webhook_endpoints/" + id("deleted")).is(200);
  }

  private void endpoint(String name, String fields) {
    JsonNode made =
        requests.post(
            "admin",
            "/v1/webhook_endpoints",
            json("{'url':'%s',%s}".formatted(neighbours.receiver().url("/" + name), fields)));
    ids.put(name, made.path("id").asText());
    ids.put(name + ".secret", made.path("secret").asText());
  }

  /** An action as it is proposed. */
  ObjectNode action(String connector, String tool, String args, String key) {
    ObjectNode action =
        Json.object().put("connector", id(connector)).put("tool", tool).put("idempotency_key", key);
    action.set("args", json(args));
    return action;
  }

  /** A refund of a charge, which is its entity, by the shop. */
  ObjectNode refund(String charge) {
    return action(
        "shop",
        "pay.refund.create",
        "{'charge':'%s','amount':'4.20','currency':'usd'}".formatted(charge),
        "refund-" + charge);
  }

  /** A note on a charge, by the shop. */
  ObjectNode note(String note, String charge) {
    return action("shop", "desk.note.add", "{'note':'%s','text':'Noted.'}".formatted(note), note)
        .put("entity_key", "charge:" + charge);
  }

  /** The body of a proposal. */
  static ObjectNode proposal(ObjectNode... actions) {
    return Operator.proposal(actions);
  }

  /** Where an operator is proposed for. */
  String plans(String operator) {
    return "/v1/operators/" + id(operator) + "/plans";
  }

  /** Proposes for an operator. */
  JsonNode propose(String operator, ObjectNode... actions) {
    return requests.post("proposer", plans(operator), proposal(actions));
  }

  /** What is to be known of a plan: it, and its actions as they were proposed. */
  static ObjectNode known(JsonNode plan) {
    ObjectNode known = Json.object().put("id", plan.path("id").asText());
    StreamSupport.stream(plan.path("actions").spliterator(), false)
        .forEach(
            action -> {
              ObjectNode one = known.withArray("actions").addObject();
              for (String field :
                  new String[] {
                    "id", "tool", "entity_key", "idempotency_key", "action_digest", "tool_digest"
                  }) {
                one.set(field, action.path(field));
              }
            });
    return known;
  }
}
