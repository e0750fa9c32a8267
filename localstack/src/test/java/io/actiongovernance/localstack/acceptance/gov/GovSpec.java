package io.actiongovernance.localstack.acceptance.gov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.trace.TracesSpec;
import io.actiongovernance.localstack.gov.Ran;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command line over HTTP (contract for agents, section 5): what it does, says and ends with.
 */
@Acceptance
final class GovSpec {
  private static final int DONE = 0;
  private static final int REFUSED = 1;
  private static final int WRONG_USE = 2;
  private static final int HELD = 3;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path home;

  private Ran gov(Api api, String... arguments) {
    return typing("", api, arguments);
  }

  private Ran typing(String typed, Api api, String... arguments) {
    return Ran.in(Ran.surroundings(environment(api), home, typed), arguments);
  }

  private static Map<String, String> environment(Api api) {
    return Map.of(
        "GOVERNANCE_URL",
        api.baseUrl().toString(),
        "GOVERNANCE_KEY",
        Objects.requireNonNull(api.key()));
  }

  private static Operator.Plan held(Given given, String charge) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    return operator.propose(operator.refund(charge, "42.00"));
  }

  @Test
  void plansListsTheApprovalQueueAndItsJsonIsTheApis(Given given) {
    Ran none = gov(given.anotherTenant(), "plans");
    assertThat(none).isEqualTo(new Ran(DONE, "Nothing waits for approval.\n", ""));
    Operator.Plan plan = held(given, "ch-1");
    Ran ran = gov(given.api(), "plans", "--limit", "100");
    assertThat(ran.code()).isEqualTo(DONE);
    assertThat(ran.out())
        .contains(plan.id() + "  proposed (waits for approval)  Refund 42.00 of charge ch-1");
    JsonNode list = Json.read(gov(given.api(), "plans", "--json", "--limit", "100").out());
    assertThat(list.path("data").findValuesAsText("id")).contains(plan.id());
  }

  @Test
  void aPlanOfSeveralActionsIsShownWithItsTotal(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan =
        operator.propose(
            operator.refund("ch-20", "1.00"),
            operator.refund("ch-21", "999.00"),
            operator.action(Given.DELETE, "record:1", Json.object().put("record", "1")));
    assertThat(gov(given.api(), "plans", "--limit", "100").out())
        .contains("Refund 1.00 of charge ch-20 + 1 more (1 blocked)  1000.00  tier 2  until ");
    assertThat(gov(given.api(), "plan", plan.id()).out()).contains("  in all       1000.00\n");
  }

  @Test
  void aHeldPlanIsShownWithItsRequestAndExitCode3(Given given) {
    Operator.Plan plan = held(given, "ch-2");
    Ran ran = gov(given.api(), "plan", plan.id());
    assertThat(ran.code()).isEqualTo(HELD);
    assertThat(ran.out())
        .contains("Refund 42.00 of charge ch-2")
        .contains("call         POST " + given.upstream().url() + "/refunds/ch-2")
        .contains(plan.json().at("/actions/0/action_digest").asText());
    Ran json = gov(given.api(), "plan", plan.id(), "--json");
    assertThat(json.code()).isEqualTo(HELD);
    assertThat(Json.read(json.out()).path("id").asText()).isEqualTo(plan.id());
  }

  @Test
  void anApproverTypesTheEndOfTheShownDigest(Given given) {
    Operator.Plan plan = held(given, "ch-3");
    String digest = plan.json().at("/actions/0/action_digest").asText();
    Ran wrong = typing("nope\n", given.api(), "approve", plan.id());
    assertThat(wrong.code()).isEqualTo(REFUSED);
    assertThat(wrong.err()).contains("nothing was approved");
    assertThat(plan.now().status()).isEqualTo("proposed");
    Ran right =
        typing(digest.substring(60) + "\n", given.api(), "approve", plan.id(), "--approver", "d@x");
    assertThat(right.code()).describedAs("%s", right).isEqualTo(DONE);
    assertThat(right.out()).contains("call         POST ", "executed", "ALERT ok  receipt rc_");
    assertThat(plan.now().json().path("approver").asText()).isEqualTo("d@x");
    assertThat(gov(given.api(), "plan", plan.id()).code()).isEqualTo(DONE);
  }

  @Test
  void theRequiredInputIsExplainedAndAMissingOneReported(Given given) {
    Operator.Plan plan = held(given, "ch-30");
    Ran ended = gov(given.api(), "approve", plan.id());
    assertThat(ended.code()).isEqualTo(REFUSED);
    String digest = plan.json().at("/actions/0/action_digest").asText();
    assertThat(ended.out())
        .endsWith(
            "Digest "
                + digest
                + "\nTo approve, type the last 4 characters of the line above, which begins with"
                + " Digest:\n");
    assertThat(ended.err())
        .isEqualTo(
            "error: The input ended before anything was typed: nothing was approved."
                + " Run this in a terminal, or use --yes in a script.\n");
    assertThat(plan.now().status()).isEqualTo("proposed");
  }

  @Test
  void plansShowsHaltedPlans(Given given) {
    Operator.Plan plan = held(given, "ch-31");
    String operator = plan.json().path("operator_id").asText();
    Ran before = gov(given.api(), "plans", "--limit", "100");
    assertThat(before.out()).doesNotContain(operator);
    String halt =
        Json.read(
                gov(given.api(), "halt", "--operator", operator, "--reason", "Stop.", "--json")
                    .out())
            .path("id")
            .asText();
    Ran halted = gov(given.api(), "plans", "--limit", "100");
    assertThat(halted.code()).isEqualTo(DONE);
    assertThat(halted.out()).contains("Halted: " + halt + "  operator " + operator, plan.id());
    assertThat(Json.read(gov(given.api(), "plans", "--json").out()).path("object").asText())
        .isEqualTo("list");
    Api blind = given.apiOfScopes("plans:read");
    assertThat(gov(blind, "plans", "--limit", "100").out())
        .contains(plan.id())
        .doesNotContain("Halted");
    assertThat(gov(given.api(), "halt", "--lift", halt, "--reason", "Fine.").code())
        .isEqualTo(DONE);
  }

  @Test
  void listsHaveALineEachAndTheirJsonIsTheApis(Given given) {
    Operator.Plan plan = held(given, "ch-32");
    plan.approve();
    String operator = plan.json().path("operator_id").asText();
    Map<String, String> lists =
        Map.of(
            "operators --status active",
            operator + "  active  ",
            "connectors --listing cn-http",
            given.connector() + "  connected  ",
            "keys --status active --mode live",
            "  active  ",
            "receipts list --plan " + plan.id(),
            "  action applied  Refund 42.00 of charge ch-32");
    lists.forEach(
        (command, line) -> {
          Ran ran = gov(given.api(), (command + " --limit 100").split(" "));
          assertThat(ran.code()).describedAs("%s: %s", command, ran).isEqualTo(DONE);
          assertThat(ran.out()).as(command).contains(line);
          JsonNode json = Json.read(gov(given.api(), (command + " --json").split(" ")).out());
          assertThat(json.path("data")).as(command).isNotEmpty();
        });
    assertThat(gov(given.api(), "receipts", "list", "--plan", "pl_none").out())
        .isEqualTo("There are none.\n");
    assertThat(gov(given.api(), "keys").out()).doesNotContain("sk_live_");
    assertThat(gov(given.api(), "operators", "--limit", "0").code()).isEqualTo(WRONG_USE);
    Ran refused = gov(given.api(), "connectors", "--status", "broken");
    assertThat(refused.code()).isEqualTo(REFUSED);
    assertThat(refused.err()).startsWith("error: invalid_parameter: ");
  }

  @Test
  void anActionIsUndoneOnce(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund("ch-33", "5.00"));
    Ran undone = gov(given.api(), "undo", plan.actionId(0), "--reason", "Twice.", "--by", "dana@x");
    assertThat(undone.code()).describedAs("%s", undone).isEqualTo(DONE);
    assertThat(undone.out()).startsWith("Undone: " + plan.actionId(0) + " by act_");
    Ran again = gov(given.api(), "undo", plan.actionId(0), "--json");
    assertThat(again.code()).isEqualTo(REFUSED);
    assertThat(Json.read(again.out()).at("/error/code").asText()).isEqualTo("action_not_undoable");
  }

  @Test
  void anUndoUnderAHaltIsHeld(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund("ch-34", "5.00"));
    given
        .api()
        .post(
            "/v1/halts",
            Json.object().put("scope", "operator").put("id", operator.id()).put("reason", "Stop."))
        .is(201);
    Ran held = gov(given.api(), "undo", plan.actionId(0));
    assertThat(held.code()).describedAs("%s", held).isEqualTo(HELD);
    assertThat(held.err()).startsWith("error: halted: ");
  }

  @Test
  void versionSaysItsOwnAndTheServices(Given given) {
    Ran ran = gov(given.api(), "version");
    assertThat(ran.code()).describedAs("%s", ran).isEqualTo(DONE);
    assertThat(ran.out())
        .matches("gov \\d+\\.\\d+\\.\\d+\\S*\nservice \\S+ revision \\d{4}-\\d{2}-\\d{2}\n");
    Ran alone = Ran.in(Ran.surroundings(Map.of(), home, ""), "version", "--json");
    assertThat(alone.code()).isEqualTo(DONE);
    assertThat(Json.read(alone.out()).path("gov").asText()).matches("\\d+\\..*");
  }

  @Test
  void theDigestOfSeveralActionsCoversTheSelectedOnes(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan =
        operator.propose(operator.refund("ch-4", "1.00"), operator.refund("ch-5", "2.00"));
    String first = plan.json().at("/actions/0/action_digest").asText();
    Ran wrong = typing(first.substring(60), given.api(), "approve", plan.id());
    assertThat(wrong.code()).isEqualTo(REFUSED);
    Ran one =
        typing(
            first.substring(60), given.api(), "approve", plan.id(), "--action", plan.actionId(0));
    assertThat(one.code()).describedAs("%s", one).isEqualTo(DONE);
    assertThat(one.out()).contains(plan.actionId(1) + "  skipped");
    Ran unknown =
        gov(given.api(), "approve", held(given, "ch-6").id(), "--yes", "--action", "act_1");
    assertThat(unknown.code()).isEqualTo(WRONG_USE);
  }

  @Test
  void anApprovalRefusedByPolicyExitsWith1(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund("ch-7"));
    operator.guardrails(Given.block(Given.REFUND));
    Ran ran = gov(given.api(), "approve", plan.id(), "--yes", "--json");
    assertThat(ran.code()).isEqualTo(REFUSED);
    assertThat(Json.read(ran.out()).at("/error/code").asText()).isEqualTo("policy_blocked");
    assertThat(gov(given.api(), "approve", plan.id(), "--yes").code()).isEqualTo(REFUSED);
  }

  @Test
  void aPlanOfWhichNothingRanIsShownSoAndTheRefusalNamesItsLimit(Given given) {
    ObjectNode guardrail = Given.alert(Given.REFUND);
    guardrail.set(
        "limits", Json.read("[{\"per\":\"entity\",\"window_seconds\":86400,\"max_actions\":1}]"));
    Operator operator = given.operator(guardrail);
    operator.propose(operator.refund("ch-22")).approve();
    Operator.Plan plan = operator.propose(operator.refund("ch-22"));
    plan.tryApprove().isError(422, "policy_blocked");
    assertThat(gov(given.api(), "plans", "--status", "executed", "--limit", "100").out())
        .contains(plan.id() + "  executed, refused  Refund ");
    assertThat(gov(given.api(), "plan", plan.id()).out())
        .contains("Plan " + plan.id() + ": executed, refused (1 refused)\n")
        .contains(
            "BLOCK refused by alert-pay-refund-create: at most 1 a day for charge:ch-22, 1 used"
                + " since 20");
  }

  @Test
  void aHaltedPlanIsHeldUntilTheLift(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund("ch-8"));
    Ran halted =
        gov(given.api(), "halt", "--operator", operator.id(), "--reason", "Stop.", "--json");
    assertThat(halted.code()).isEqualTo(DONE);
    String halt = Json.read(halted.out()).path("id").asText();
    assertThat(gov(given.api(), "halt", "--list").out()).contains(halt, operator.id(), "Stop.");
    Ran held = gov(given.api(), "approve", plan.id(), "--yes");
    assertThat(held.code()).isEqualTo(HELD);
    assertThat(held.err()).startsWith("error: halted: ");
    assertThat(gov(given.api(), "halt", "--lift", halt, "--reason", "Fine.").code())
        .isEqualTo(DONE);
    assertThat(gov(given.api(), "approve", plan.id(), "--yes").code()).isEqualTo(DONE);
  }

  @Test
  void aVetoedPlanExitsWith1(Given given) {
    Operator.Plan plan = held(given, "ch-9");
    Ran vetoed = gov(given.api(), "veto", plan.id(), "--reason", "Not this one.");
    assertThat(vetoed.code()).isEqualTo(DONE);
    Ran ran = gov(given.api(), "plan", plan.id());
    assertThat(ran.code()).isEqualTo(REFUSED);
    assertThat(ran.out()).contains("Not this one.");
    assertThat(gov(given.api(), "veto", plan.id(), "--reason", "Again.").code()).isEqualTo(REFUSED);
  }

  @Test
  void anotherTenantsPlanIsNotFound(Given given) {
    Ran ran = gov(given.anotherTenant(), "approve", held(given, "ch-10").id(), "--yes");
    assertThat(ran.code()).isEqualTo(REFUSED);
    assertThat(ran.err()).startsWith("error: not_found: ");
  }

  @Test
  void triggerReportsTheOutcomeOfItsEvent(Given given) throws Exception {
    Operator operator = scripted(given, Given.alert(Given.REFUND));
    Path payload = Files.writeString(home.resolve("p.json"), "{\"id\":\"ch-11\"}");
    Ran ran =
        gov(given.api(), "trigger", "charge.disputed", "-f", "p.json", "--wait", "30", "--json");
    assertThat(payload).exists();
    assertThat(ran.code()).describedAs("%s", ran).isEqualTo(HELD);
    JsonNode answer = Json.read(ran.out());
    assertThat(answer.at("/event/payload/id").asText()).isEqualTo("ch-11");
    assertThat(answer.at("/event/source").asText()).isEqualTo("gov");
    assertThat(answer.at("/plans/0/operator_id").asText()).isEqualTo(operator.id());
    Ran typed =
        typing("{\"id\":\"ch-12\"}", given.api(), "trigger", "charge.disputed", "--file", "-");
    assertThat(typed.code()).isEqualTo(DONE);
    assertThat(typed.out()).startsWith("Event ev_");
    assertThat(gov(given.api(), "trigger", "Charge", "--json").code()).isEqualTo(REFUSED);
  }

  /** An operator that proposes a refund for each dispute. */
  private static Operator scripted(Given given, ObjectNode guardrail) {
    ObjectNode fields =
        (ObjectNode)
            Json.read(
                """
                {"triggers":{"event_types":["charge.*"]},
                 "model":{"provider":"scripted","plans":[{"event_type":"charge.disputed",
                   "reasoning":"Disputed.","actions":[{"tool":"pay.refund.create",
                     "args":{"charge":"{{payload.id}}","amount":"5.00"}}]}]}}
                """);
    ((ObjectNode) fields.at("/model/plans/0/actions/0")).put("connector", given.connector());
    return given.operatorWith(fields, guardrail);
  }

  @Test
  void aTableOfActionsIsJudgedByTheService(Given given) throws Exception {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    String action =
        "{\"connector\":\"%s\",\"tool\":\"%s\",\"args\":%s,\"entity_key\":\"charge:1\"}";
    String refund = action.formatted(given.connector(), Given.REFUND, "{\"charge\":\"1\"}");
    String note = action.formatted(given.connector(), Given.NOTE, "{}");
    String delete = action.formatted(given.connector(), Given.DELETE, "{\"record\":\"1\"}");
    Files.writeString(
        home.resolve("cases.json"),
        """
        {"operator":"%s","cases":[
          {"name":"refunds wait","action":%s,"decision":"ALERT","rule":"alert-pay-refund-create"},
          {"name":"notes run","action":%s,"decision":"ALLOW"},
          {"name":"nothing deletes","action":%s,"decision":"BLOCK","rule":null}]}
        """
            .formatted(operator.id(), refund, note, delete));
    Ran right = gov(given.api(), "policy", "test", "cases.json");
    assertThat(right.code()).describedAs("%s", right).isEqualTo(DONE);
    assertThat(right.out()).contains("ok    refunds wait", "3 of 3 as expected.");
    operator.guardrails(Given.allow("*.*.*"));
    Ran wrong = gov(given.api(), "policy", "test", "cases.json");
    assertThat(wrong.code()).isEqualTo(REFUSED);
    assertThat(wrong.out())
        .contains(
            "WRONG refunds wait: expected ALERT by alert-pay-refund-create, got ALLOW by"
                + " allow-any-any-any");
    Files.writeString(
        home.resolve("proposed.json"),
        "[%s,%s]".formatted(Given.alert(Given.REFUND), Given.allow(Given.NOTE)));
    Files.writeString(home.resolve("misspelt.json"), "[%s]".formatted(Given.allow("pay.refnd")));
    Ran unmatched =
        gov(given.api(), "policy", "test", "cases.json", "--guardrails", "misspelt.json");
    assertThat(unmatched.out()).contains("WARN  the guardrail allow-pay-refnd matches no tool.");
    Ran tried =
        gov(given.api(), "policy", "test", "cases.json", "--guardrails", "proposed.json", "--json");
    assertThat(tried.code()).describedAs("%s", tried).isEqualTo(DONE);
    assertThat(Json.read(tried.out()).path("ok").booleanValue()).isTrue();
    Files.writeString(home.resolve("cases.json"), "{\"cases\":[{\"action\":{},\"decison\":\"\"}]}");
    Ran misspelt = gov(given.api(), "policy", "test", "cases.json");
    assertThat(misspelt.code()).isEqualTo(WRONG_USE);
    assertThat(misspelt.err()).contains("decison");
  }

  @Test
  void policyDiffListsNewPermissionsAndExitsWith1(Given given) throws Exception {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    String name = given.api().get("/v1/operators/" + operator.id()).is(200).path("name").asText();
    Files.writeString(home.resolve("more.json"), "[" + Given.allow(Given.REFUND) + "]");
    Ran more = gov(given.api(), "policy", "diff", "more.json", "--operator", name);
    assertThat(more.code()).isEqualTo(REFUSED);
    assertThat(more.out())
        .contains("ALLOW (allow-pay-refund-create) instead of ALERT (alert-pay-refund-create)")
        .contains(Given.REFUND);
    Files.writeString(
        home.resolve("less.json"), "{\"guardrails\":[" + Given.block(Given.REFUND) + "]}");
    Ran less = gov(given.api(), "policy", "diff", "less.json", "--operator", name);
    assertThat(less.code()).describedAs("%s", less).isEqualTo(DONE);
    assertThat(gov(given.api(), "policy", "diff", "less.json", "--operator", "nobody").code())
        .isEqualTo(REFUSED);
  }

  @Test
  void theServicesReceiptsHaveTheirHashes(Given given) throws Exception {
    held(given, "ch-13").approve();
    Operator traced = given.operator(Given.allow(Given.REFUND));
    traced
        .proposer()
        .post(
            "/v1/operators/" + traced.id() + "/plans",
            Operator.proposal(traced.refund("ch-14")),
            "traceparent",
            "00-" + TracesSpec.TRACE + "-00f067aa0ba902b7-01")
        .is(201);
    String lines =
        given.api().get("/v1/receipts?limit=100").data().stream()
            .map(JsonNode::toString)
            .collect(Collectors.joining("\n"));
    assertThat(lines).contains("\"trace_id\":\"" + TracesSpec.TRACE);
    Files.writeString(home.resolve("export.jsonl"), lines);
    Ran right = gov(given.api(), "receipts", "verify", "export.jsonl");
    assertThat(right.code()).describedAs("%s", right).isEqualTo(DONE);
    Files.writeString(
        home.resolve("export.jsonl"), lines.replaceFirst("\"ok\":true", "\"ok\":false"));
    assertThat(gov(given.api(), "receipts", "verify", "export.jsonl").code()).isEqualTo(REFUSED);
  }

  @Test
  void votesOfTwoPeopleAreVerifiedOffline(Given given) throws Exception {
    Human lead = Human.of(given, "Lea", "operate", "support-leads");
    ObjectNode alert = (ObjectNode) Json.read(Given.alert(Given.REFUND).toString());
    alert
        .putObject("approval")
        .put("method", "passkey")
        .putArray("all_of")
        .addObject()
        .put("count", 2);
    Operator operator = given.operator(alert);
    Operator.Plan plan = operator.propose(operator.refund("ch-15"), operator.refund("ch-16"));
    Ran key = gov(given.api(), "approve", plan.id(), "--yes");
    assertThat(key.code()).isEqualTo(HELD);
    assertThat(key.out()).contains(given.api().baseUrl() + "/console?plan=" + plan.id());
    lead.sign(plan).is(202);
    Human.of(given, "Fin", "operate").sign(plan).is(200);
    String lines =
        given.api().get("/v1/receipts?limit=100&plan_id=" + plan.id()).data().stream()
            .map(JsonNode::toString)
            .collect(Collectors.joining("\n"));
    Files.writeString(home.resolve("export.jsonl"), lines);
    Ran right = gov(given.api(), "receipts", "verify", "export.jsonl");
    assertThat(right.code()).describedAs("%s", right).isEqualTo(DONE);
    assertThat(right.out()).contains("4 of 4 receipts are right.", "2 votes are signed");
  }

  @Test
  void aLoginIsKeptForItsOwnerAndGoesToItsOwnBaseUrlOnly(Given given) throws Exception {
    Api api = given.api();
    String url = api.baseUrl().toString();
    Ran bad =
        Ran.in(
            Ran.surroundings(Map.of(), home, ""), "login", "--url", url, "--key", "sk_live_wrong");
    Path file = home.resolve(".config/action-governance/login.json");
    assertThat(bad.code()).isEqualTo(REFUSED);
    assertThat(file).doesNotExist();
    Ran login =
        Ran.in(
            Ran.surroundings(Map.of(), home, api.key() + "\n"),
            "login",
            "--url",
            url + "/",
            "--key",
            "--json");
    assertThat(login.code()).describedAs("%s", login).isEqualTo(DONE);
    assertThat(login.out()).doesNotContain(Objects.requireNonNull(api.key()));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (var files = Files.list(file.getParent())) {
      assertThat(files).containsExactly(file);
    }
    assertThat(without(Map.of(), "plans").code()).isEqualTo(DONE);
    // Another base URL gets no key that was kept for this one.
    Ran elsewhere = without(Map.of(), "plans", "--url", "http://127.0.0.1:1");
    assertThat(elsewhere.code()).isEqualTo(WRONG_USE);
    assertThat(elsewhere.err()).contains("There is no key for http://127.0.0.1:1");
    // An option counts more than a variable, and a variable more than the login.
    Map<String, String> wrongKey = Map.of("GOVERNANCE_KEY", "sk_live_wrong");
    assertThat(without(wrongKey, "plans").err()).startsWith("error: key_invalid");
    assertThat(without(wrongKey, "plans", "--key", Objects.requireNonNull(api.key())).code())
        .isEqualTo(DONE);
  }

  /** What a form sends to the program that waits. */
  private static int sent(String port, String state, String key) throws Exception {
    try (HttpClient browser = HttpClient.newHttpClient()) {
      HttpRequest form =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(HttpRequest.BodyPublishers.ofString("state=" + state + "&key=" + key))
              .build();
      return browser.send(form, HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void onlyTheConsoleGivesALoginItsKey(Given given) throws Exception {
    Api api = given.api();
    StringWriter out = new StringWriter();
    CompletableFuture<Ran> login =
        CompletableFuture.supplyAsync(
            () ->
                Ran.in(
                    Ran.surroundings(Map.of(), home, ""),
                    out,
                    "login",
                    "--url",
                    api.baseUrl().toString(),
                    "--no-browser"));
    Pattern page = Pattern.compile("/console#/login/(\\d+)\\.([\\w-]{43})\\s");
    Matcher asked =
        Await.until(Duration.ofSeconds(30), () -> page.matcher(out.toString()), Matcher::find);
    assertThat(sent(asked.group(1), "A".repeat(43), "sk_live_forged")).isEqualTo(403);
    String key =
        api.post("/v1/keys", Json.object().put("name", "gov, Dana").put("role", "operate"))
            .is(201)
            .path("secret")
            .asText();
    assertThat(sent(asked.group(1), asked.group(2), key)).isEqualTo(200);
    Ran done = login.get(30, TimeUnit.SECONDS);
    assertThat(done.code()).describedAs("%s", done).isEqualTo(DONE);
    assertThat(done.out()).doesNotContain(key);
    assertThat(without(Map.of(), "plans").code()).isEqualTo(DONE);
    assertThatThrownBy(() -> sent(asked.group(1), asked.group(2), key))
        .as("it waits for one")
        .isInstanceOf(ConnectException.class);
  }

  private Ran without(Map<String, String> environment, String... arguments) {
    return Ran.in(Ran.surroundings(environment, home, ""), arguments);
  }
}
