package io.actiongovernance.localstack.acceptance.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.List;
import java.util.Optional;

/** An operator on the sandbox, whose agents ask for refunds and deployments, each held. */
record BrowserDesk(Given given, Operator operator) {
  private static final String REFUND = "sandbox.payment.refund";
  private static final String DEPLOY = "sandbox.deploy.run";
  private static final String REASONING =
      "The customer sent photographs: it arrived broken. Policy 4.2.";

  static BrowserDesk of(Given given) {
    Api api = given.api();
    String sandbox =
        api.post(
                "/v1/connectors",
                Json.object().put("listing_id", "cn-sandbox").put("name", "sandbox"))
            .is(201)
            .path("id")
            .asText();
    ObjectNode held = Given.alert(REFUND).put("name", "refund-needs-human");
    held.putObject("conditions").put("max_value", 500);
    ObjectNode large = Given.alert(REFUND).put("name", "large-refund-needs-two");
    large.putObject("conditions").put("min_value", 500.01);
    Operator operator =
        given.operatorOf(
            api,
            sandbox,
            Json.object().put("name", "refund-desk").put("display_name", "Refund desk"),
            held,
            twoGroups(large, "passkey"),
            Given.alert(DEPLOY).put("name", "deploys-need-human"));
    String agent =
        api.post("/v1/keys", Json.object().put("name", "shop-agent").put("role", "agent"))
            .is(201)
            .path("secret")
            .asText();
    return new BrowserDesk(
        given, new Operator(api, api.as(agent), operator.id(), operator.connector()));
  }

  String id() {
    return operator.id();
  }

  /** What else a tenant has, so that every screen has something to show. */
  BrowserDesk furnished() {
    Api api = given.api();
    api.post(
            "/v1/webhook_endpoints",
            Json.read(
                """
                {"url":"https://hooks.example.com/governance",
                 "types":["action.needs_approval","plan.disposed"]}\
                """))
        .is(201);
    api.post(
            "/v1/channels",
            Json.read(
                """
                {"type":"slack","url":"https://hooks.slack.com/services/T000/B000/XXXX",
                 "types":["approval.requested","halt"]}\
                """))
        .is(201);
    api.patch(
            "/v1/approval_defaults",
            Json.read(
                """
                {"tiers":{"3":{"method":"passkey"},"2":null}}\
                """))
        .is(200);
    return this;
  }

  /** The address at which a page offers to sign in at the stack's own issuer, if it has one. */
  Optional<String> signIn() {
    ObjectNode provider =
        Json.object()
            .put("issuer", given.api().baseUrl() + "/dev-idp")
            .put("client_id", "governance");
    ArrayNode bindings = provider.putArray("role_bindings");
    for (String group : List.of("support-leads", "finance")) {
      bindings.addObject().put("group", group).put("role", "operate");
    }
    bindings.addObject().put("group", "admins").put("role", "admin");
    Answer made = given.api().post("/v1/identity_providers", provider);
    return made.status() == 201
        ? Optional.of(given.api().baseUrl() + "/console?idp=" + made.json().path("id").asText())
        : Optional.empty();
  }

  /** Refunds are held from now on until somebody of each of both groups agrees. */
  BrowserDesk heldForTwo(String method) {
    ObjectNode held = twoGroups(Given.alert(REFUND).put("name", "refund-needs-two"), method);
    operator.guardrails(held);
    return this;
  }

  /** A guardrail that asks for somebody of each of both groups. */
  static ObjectNode twoGroups(ObjectNode guardrail, String method) {
    ObjectNode approval =
        (ObjectNode)
            Json.read("{\"all_of\":[{\"groups\":[\"support-leads\"]},{\"groups\":[\"finance\"]}]}");
    return guardrail.set("approval", approval.put("method", method));
  }

  String refund(String order, String amount, String note) {
    return refund(order, amount, note, REASONING);
  }

  /** The same with these words of the agent's. */
  String refund(String order, String amount, String note, String reasoning) {
    ObjectNode action = Json.object().put("connector", operator.connector()).put("tool", REFUND);
    action
        .putObject("args")
        .put("order", order)
        .put("amount", amount)
        .put("currency", "usd")
        .put("note", note);
    return propose(action.put("idempotency_key", "refund-" + order), reasoning);
  }

  String deploy(String service, String version) {
    ObjectNode action = Json.object().put("connector", operator.connector()).put("tool", DEPLOY);
    action.putObject("args").put("service", service).put("version", version);
    return propose(action.put("idempotency_key", "deploy-" + version), REASONING);
  }

  /** A change of a record, of which this is the text; records are held from now on. */
  String record(String text) {
    operator.guardrails(Given.alert("sandbox.record.*"));
    ObjectNode action =
        Json.object().put("connector", operator.connector()).put("tool", "sandbox.record.update");
    action.putObject("args").put("record", "8").putObject("fields").put("text", text);
    return propose(action.put("idempotency_key", "record-8"), REASONING);
  }

  /** An action of the sandbox with these arguments, in JSON, under a key of its own. */
  ObjectNode action(String tool, String args) {
    ObjectNode action = Json.object().put("connector", operator.connector()).put("tool", tool);
    action.set("args", Json.read(args));
    return action.put("idempotency_key", Given.unique("key"));
  }

  /** A plan of these actions, which waits for approval. */
  String propose(ObjectNode... actions) {
    return propose(REASONING, actions);
  }

  private String propose(ObjectNode action, String reasoning) {
    return propose(reasoning, action);
  }

  private String propose(String reasoning, ObjectNode... actions) {
    ObjectNode body = Json.object().put("reasoning", reasoning);
    body.putArray("actions").addAll(List.of(actions));
    JsonNode plan = operator.proposer().post("/v1/operators/" + id() + "/plans", body).is(201);
    assertThat(plan.path("waiting_on").asText()).isEqualTo("approval");
    return plan.path("id").asText();
  }

  JsonNode plan(String id) {
    return given.api().get("/v1/plans/" + id).is(200);
  }

  String status(String plan) {
    return plan(plan).path("status").asText();
  }

  /** The votes that a plan has. */
  JsonNode votes(String plan) {
    return given.api().get("/v1/plans/" + plan + "/approval").is(200).path("votes");
  }

  /** The address at which somebody who was just made enrols their first passkey. */
  String enrolment(String name, String group) {
    return enrolment(given, name, group);
  }

  static String enrolment(Given given, String name, String group) {
    ObjectNode body = Json.object().put("name", name);
    body.putArray("bindings").addObject().put("role", "operate");
    body.putArray("groups").add(group);
    return given.api().post("/v1/people", body).is(201).path("enrolment_url").asText();
  }
}
