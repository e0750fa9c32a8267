package io.actiongovernance.localstack.acceptance.stored;

import static io.actiongovernance.localstack.acceptance.stored.StoredRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Canonical;
import io.actiongovernance.localstack.acceptance.fixture.Following;
import io.actiongovernance.localstack.acceptance.fixture.McpUpstream;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Receiver.Received;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Seen;
import io.actiongovernance.localstack.acceptance.stored.StoredReads.Head;
import io.actiongovernance.localstack.acceptance.stored.StoredReads.Read;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a release or this build had in flight when its process was killed goes on where it was:
 * plans that were held, waiting, executing or unknown, timers, deliveries, requests under
 * idempotency keys. Nothing acts a second time. What reads as it did is in {@link StoredReadsSpec}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("stored")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls start before all else
final class StoredGoesOnSpec {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  /** Its effect is unknown, and its source system takes another call for the first. */
  private static final String MAY_BE_REPEATED = "lost";

  @Parameter private StoredData stored;
  private final Set<String> redelivered = ConcurrentHashMap.newKeySet();
  private StoredTenant tenant;

  @BeforeParameterizedClassInvocation(injectArguments = false)
  void start(@TempDir Path folder) throws Exception {
    redelivered.clear();
    tenant = new StoredTenant(stored, folder.resolve("data"));
  }

  static List<StoredData> stored() {
    return StoredData.all();
  }

  @AfterParameterizedClassInvocation
  void nothingActedASecondTime() {
    try (StoredTenant _ = tenant) {
      Map<String, Long> calls =
          tenant.upstream().calls().stream()
              .filter(call -> call.method().equals("POST"))
              .collect(
                  Collectors.groupingBy(
                      call -> call.path() + " " + call.idempotencyKey(), Collectors.counting()));
      assertThat(calls.values()).allMatch(many -> many == 1);
      Set<String> used = keysThatMayHaveActed();
      used.remove(MAY_BE_REPEATED);
      assertThat(used).hasSizeGreaterThan(10);
      assertThat(tenant.upstream().calls()).noneMatch(call -> used.contains(call.idempotencyKey()));
      Set<String> delivered = deliveredBefore();
      delivered.removeAll(redelivered);
      assertThat(delivered).isNotEmpty();
      assertThat(tenant.neighbours().receiver().received("/heard"))
          .isNotEmpty()
          .noneMatch(each -> delivered.contains(each.json().path("id").asText()));
      assertThat(tenant.neighbours().authority().complaints()).isEmpty();
    }
  }

  /** The keys of all actions of which it was said that they applied, or that nobody knows. */
  private Set<String> keysThatMayHaveActed() {
    Set<String> used = new HashSet<>();
    for (Read read : tenant.reads()) {
      JsonNode receipt = read.answer();
      boolean receipted = receipt.path("object").asText().equals("receipt");
      String outcome = receipt.path("outcome").asText();
      String key = receipt.path("idempotency_key").asText();
      if (receipted && (outcome.equals("applied") || outcome.equals("unknown"))) {
        used.add(key);
      }
    }
    return used;
  }

  private Set<String> deliveredBefore() {
    return tenant.reads().stream()
        .map(Read::answer)
        .filter(each -> each.path("object").asText().equals("webhook_delivery"))
        .filter(each -> each.path("status").asText().equals("succeeded"))
        .map(each -> each.path("id").asText())
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static String outcome(Plan plan, int position) {
    return plan.receipt(position).path("outcome").asText();
  }

  @Test
  void aHeldPlanIsApprovedUnderItsDigestsAndDelivered() {
    Plan held = tenant.plan("held to-approve");
    JsonNode action = held.json().at("/actions/0");
    String approval = held.approve().path("approval_id").asText();
    JsonNode approved = tenant.admin().get("/v1/approvals/" + approval).is(200).at("/actions/0");
    JsonNode receipt = held.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    for (String digest : List.of("action_digest", "tool_digest")) {
      assertThat(receipt.path(digest)).isEqualTo(action.path(digest));
      assertThat(approved.path(digest)).isEqualTo(action.path(digest));
    }
    Seen call = tenant.onlyCall("/refunds/to-approve");
    assertThat(call.idempotencyKey()).isEqualTo(action.path("idempotency_key").asText());
    assertThat(call.header("Authorization")).isEqualTo("Bearer token-of-the-shop");
    List<Received> told =
        Await.until(
            LONGEST,
            () ->
                tenant.neighbours().receiver().received("/heard").stream()
                    .filter(each -> each.json().at("/data/id").asText().equals(held.id()))
                    .toList(),
            found -> !found.isEmpty());
    assertThat(told.getFirst().json().path("type").asText()).isEqualTo("plan.disposed");
  }

  @Test
  void proposalsOfScriptsAndModelsCanBeApproved() {
    tenant.plan("held of the script").approve();
    assertThat(tenant.onlyCall("/refunds/e2").idempotencyKey()).isEqualTo("held-e2");
    tenant.plan("held of the model").approve();
    assertThat(tenant.onlyCall("/refunds/modelled").idempotencyKey()).startsWith("auto_");
  }

  @Test
  void aHeldPlanIsVetoed() {
    tenant.plan("held to-veto").tryVeto("No.").is(200);
    assertThat(outcome(tenant.plan("held to-veto"), 0)).isEqualTo("vetoed");
    assertThat(tenant.upstream().calls("/refunds/to-veto")).isEmpty();
  }

  @Test
  void aPlansTimerFiresOnTime() {
    Plan expiring = tenant.plan("expiring");
    String path = "governance-plan-expiry/" + expiring.id() + ".json";
    Path timer = tenant.executions().resolve(path);
    JsonNode receipt =
        Await.until(
                LONGEST,
                () -> tenant.admin().get("/v1/receipts?plan_id=" + expiring.id()).data(),
                found -> !found.isEmpty())
            .getFirst();
    assertThat(receipt.path("outcome").asText()).isEqualTo("expired");
    JsonNode now = expiring.now().json();
    assertThat(now.path("status").asText()).isEqualTo("expired");
    assertThat(now.path("disposed_at")).isEqualTo(now.path("expires_at"));
    assertThat(Instant.parse(receipt.path("written_at").asText()))
        .isAfterOrEqualTo(Instant.parse(now.path("expires_at").asText()));
    Await.until(LONGEST, () -> Files.exists(timer), exists -> !exists);
    expiring.tryApprove().isError(409, "state_conflict");
  }

  @Test
  void aRepeatableInterruptedCallIsRepeatedAndItsWaitersRun() {
    Plan again = tenant.executed(tenant.plan("called again"));
    assertThat(tenant.onlyCall("/notes/again?").idempotencyKey()).isEqualTo("again");
    tenant.onlyCall("/notes/after?");
    assertThat(tenant.upstream().calls("/refunds/gone")).isEmpty();
    JsonNode approved = tenant.answered("approval of what is called again");
    assertThat(approved.path("id").asText()).isEqualTo(again.id());
    assertThat(approved.path("results")).hasSize(3).allMatch(each -> each.path("ok").asBoolean());
    Plan behind = tenant.executed(new Plan(tenant.admin(), tenant.answered("behind a lock")));
    assertThat(outcome(behind, 0)).isEqualTo("applied");
    assertThat(tenant.onlyCall("/notes/behind?").began())
        .isGreaterThan(tenant.onlyCall("/notes/after?").ended());
  }

  @Test
  void anUnrepeatableInterruptedCallIsUnknownAndNotCalled() {
    Plan never = tenant.executed(tenant.plan("never called again"));
    assertThat(outcome(never, 0)).isEqualTo("unknown");
    assertThat(outcome(never, 1)).isEqualTo("applied");
    JsonNode approved = tenant.answered("approval of what is never called again");
    assertThat(approved.at("/results/0/ok").asBoolean(true)).isFalse();
    assertThat(tenant.upstream().calls("/refunds/never")).isEmpty();
    assertThat(tenant.upstream().calls("/notes/beside")).isEmpty();
    assertThat(tenant.admin().get("/v1/actions?unresolved=true").ids()).contains(never.actionId(0));
    tenant.resolve(never, "applied");
    assertThat(tenant.admin().get("/v1/actions?unresolved=true").ids())
        .doesNotContain(never.actionId(0));
  }

  @Test
  void anInterruptedCallUnderAnUnknownKeyIsRepeated() {
    Plan again =
        tenant.executed(
            new Plan(tenant.admin(), tenant.answered("under a key whose effect is unknown")));
    assertThat(outcome(again, 0)).isEqualTo("applied");
    assertThat(tenant.onlyCall("/notes/lost").idempotencyKey()).isEqualTo(MAY_BE_REPEATED);
    tenant.resolve(tenant.plan("unknown by its lost replies"), "not_applied");
  }

  @Test
  void anInterruptedUndoIsMadeOnce() {
    Plan undoing = tenant.plan("undoing");
    JsonNode undone = tenant.answered("undo in flight");
    assertThat(undone.path("undone").asBoolean()).isTrue();
    assertThat(undoing.action(0).path("undone").asBoolean()).isTrue();
    String reference = undoing.receipt(0).path("upstream_reference").asText();
    tenant.onlyCall("/cancellations/" + reference);
  }

  @Test
  void anUnknownActionKeepsItsLimitUntilResolved() {
    Plan unknown = tenant.plan("unknown");
    assertThat(tenant.propose("limited", tenant.refund("meanwhile")).status())
        .isEqualTo("proposed");
    tenant.resolve(unknown, "not_applied");
    Plan next = tenant.executed(tenant.propose("limited", tenant.refund("next")));
    assertThat(outcome(next, 0)).isEqualTo("applied");
    assertThat(tenant.propose("limited", tenant.refund("one too many")).status())
        .isEqualTo("proposed");
    assertThat(tenant.upstream().calls("/refunds/unknown")).isEmpty();
  }

  @Test
  void anAppliedActionCanBeUndone() {
    Plan undoable = tenant.plan("undoable");
    JsonNode receipt = undoable.receipt(0);
    tenant.undo(undoable);
    Seen call = tenant.onlyCall("/cancellations/" + receipt.path("upstream_reference").asText());
    String tenantId =
        tenant.admin().get("/v1/events?limit=1").data().getFirst().path("tenant_id").asText();
    String key = receipt.path("idempotency_key").asText();
    String seed = "undo.v1\n" + tenantId + "\n" + undoable.actionId(0) + "\n" + key;
    assertThat(call.idempotencyKey()).isEqualTo("undo_" + Canonical.sha256(seed).substring(0, 32));
    tenant.undo(tenant.plan("resolved"));
    tenant.onlyCall("/releases/held");
    tenant.undo(tenant.plan("of the sandbox"));
    String undone = "/v1/actions/" + tenant.plan("undone").actionId(0) + "/undo";
    tenant.admin().post(undone).isError(409, "action_not_undoable");
  }

  @Test
  void anAppliedKeyStaysAppliedForGood() {
    ObjectNode applied = (ObjectNode) tenant.thing("applied").deepCopy();
    Plan again = tenant.executed(tenant.propose("quick", applied));
    assertThat(outcome(again, 0)).isEqualTo("deduplicated");
    assertThat(again.action(0).path("holder_action_id").asText())
        .isEqualTo(tenant.plan("approved").actionId(0));
    ((ObjectNode) applied.path("args")).put("amount", "9.99");
    tenant.tryPropose("quick", applied).isError(422, "policy_blocked");
    assertThat(tenant.upstream().calls("/refunds/r1")).isEmpty();
  }

  @Test
  void haltedPlansContinueAfterTheLift() {
    Plan held = tenant.plan("held under a halt");
    held.tryApprove().isError(409, "halted");
    assertThat(tenant.upstream().calls("/notes/parked")).isEmpty();
    String lift = "/v1/halts/" + tenant.thing("halt").path("id").asText() + "/lift";
    StoredTenant.post(tenant.admin(), lift, json("{'reason':'Go on.'}"));
    Plan parked = tenant.executed(tenant.plan("parked"));
    assertThat(tenant.onlyCall("/notes/parked-1").ended())
        .isLessThan(tenant.onlyCall("/notes/parked-2").began());
    assertThat(tenant.upstream().calls("/refunds/parked")).isEmpty();
    JsonNode approved = tenant.answered("approval under a halt");
    assertThat(approved.path("id").asText()).isEqualTo(parked.id());
    tenant.executed(tenant.plan("waiting for a halt"));
    tenant.onlyCall("/notes/behind-the-halt");
    JsonNode now = held.now().json();
    Duration time =
        Duration.between(
            Instant.parse(now.path("proposed_at").asText()),
            Instant.parse(now.path("expires_at").asText()));
    assertThat(time).isGreaterThan(Duration.ofDays(3).plusSeconds(30));
    held.approve();
    tenant.onlyCall("/refunds/frozen");
  }

  @Test
  void aPlanWaitingForASettlingEntityRunsOnceItHasSettled() {
    Plan waiting =
        tenant.executed(new Plan(tenant.admin(), tenant.answered("behind what settles")));
    assertThat(outcome(waiting, 0)).isEqualTo("applied");
    tenant.onlyCall("/notes/settled");
    assertThat(outcome(tenant.plan("settling"), 0)).isEqualTo("unknown");
    assertThat(tenant.upstream().calls("/refunds/settling")).isEmpty();
    tenant.executed(
        tenant.propose(
            "quick", tenant.action("settling", "pay.charge.read", "{'charge':'s'}", "read-2")));
    assertThat(tenant.upstream().calls("/charges/s").getFirst().header("Authorization"))
        .isEqualTo("Basic " + base64("desk:password-of-the-desk"));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void pacedActionsAreCalledInTurn() {
    for (String name : List.of("paced-1", "paced-2")) {
      assertThat(outcome(tenant.executed(new Plan(tenant.admin(), tenant.answered(name))), 0))
          .isEqualTo("applied");
    }
    // The other was called before.
    assertThat(tenant.onlyCall("/notes/paced-").header("X-Key")).isEqualTo("key-of-the-pace");
  }

  @Test
  void aPlanWaitingForTheAllowanceRunsOnceTheCapIsRaised() {
    assertThat(tenant.upstream().calls("/holds/c2")).isEmpty();
    tenant.as("test").patch("/v1/allowance", json("{'hard_cap':2}")).is(200);
    tenant.executed(new Plan(tenant.as("test"), tenant.thing("waiting for the allowance")));
    tenant.onlyCall("/holds/c2");
    JsonNode allowance = tenant.as("test").get("/v1/allowance").is(200);
    assertThat(allowance.path("used_actions").asInt()).isEqualTo(2);
  }

  @Test
  void anOperatorContinuesItsSchedule() {
    String plans = "/v1/plans?operator_id=" + tenant.id("timed");
    JsonNode run =
        Await.until(LONGEST, () -> tenant.admin().get(plans).data(), found -> !found.isEmpty())
            .getFirst();
    assertThat(run.path("event_id").isNull()).isTrue();
    tenant.executed(new Plan(tenant.admin(), run));
    tenant.onlyCall("/notes/timed");
  }

  @Test
  void aKeyExpiresOnTime() {
    Answer answer =
        Await.until(
            LONGEST, () -> tenant.as("ending").get("/v1/plans"), each -> each.status() != 200);
    answer.isError(401, "key_expired");
  }

  @Test
  void aDeliverysTimerFiresAndItArrivesSigned() throws Exception {
    JsonNode waiting = tenant.thing("delivery that waits");
    Received received = tenant.neighbours().receiver().await("/waiting", 1).getFirst();
    assertThat(received.json().path("id")).isEqualTo(waiting.path("id"));
    assertThat(received.json().path("attempt").asInt()).isEqualTo(2);
    assertThat(received.header("Service-Signature"))
        .contains(signed(received, tenant.id("waiting.secret")));
    assertThat(delivery(waiting, "succeeded").path("attempts")).hasSize(2);
    assertThat(tenant.neighbours().receiver().received("/waiting")).hasSize(1);
  }

  private JsonNode delivery(JsonNode delivery, String status) {
    return Await.until(
        LONGEST,
        () -> tenant.admin().get(delivery.path("path").asText()).is(200),
        now -> now.path("status").asText().equals(status));
  }

  /** The part of {@code Service-Signature} that a secret makes (specification, Delivery rules). */
  private static String signed(Received received, String secret) throws Exception {
    String at = received.header("Service-Signature").replaceAll("^t=([0-9]+),.*", "$1");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] signature = mac.doFinal((at + "." + received.body()).getBytes(StandardCharsets.UTF_8));
    return "v1=" + HexFormat.of().formatHex(signature);
  }

  @Test
  void aDeliveryInFlightIsMadeAgain() {
    JsonNode silent = tenant.thing("delivery in flight");
    Received received = tenant.neighbours().receiver().await("/silent", 1).getFirst();
    assertThat(received.json().path("id")).isEqualTo(silent.path("id"));
    JsonNode delivery = delivery(silent, "succeeded");
    assertThat(delivery.at("/attempts/0/error").asText()).startsWith("interrupted");
    assertThat(delivery.path("attempt").asInt()).isEqualTo(2);
  }

  @Test
  void aFailedDeliveryCanBeRedeliveredAndARotatedSecretStillSigns() throws Exception {
    String failed = "/v1/webhook_endpoints/" + tenant.id("refusing") + "/deliveries";
    String one = failed + "/" + tenant.admin().get(failed + "?status=failed").ids().getFirst();
    tenant.admin().post(one + "/redeliver").is(200);
    tenant.neighbours().receiver().await("/refusing", 1);
    String rotated = "/v1/webhook_endpoints/" + tenant.id("rotated") + "/test";
    tenant.admin().post(rotated, json("{'type':'webhook_endpoint.status_changed'}")).is(201);
    Received received = tenant.neighbours().receiver().await("/rotated", 1).getFirst();
    assertThat(received.header("Service-Signature"))
        .contains(signed(received, tenant.id("rotated.secret")))
        .contains(signed(received, tenant.id("rotated.new_secret")));
  }

  @Test
  void aLargeDeliveryIsRedeliveredUnchanged() {
    Read large =
        tenant.reads().stream()
            .filter(each -> each.answer().path("object").asText().equals("webhook_delivery"))
            .filter(each -> each.answer().path("data").toString().length() > 5_000)
            .findFirst()
            .orElseThrow();
    String id = large.answer().path("id").asText();
    redelivered.add(id);
    tenant.admin().post(large.path() + "/redeliver").is(200);
    JsonNode again =
        Await.until(
                LONGEST,
                () ->
                    tenant.neighbours().receiver().received("/heard").stream()
                        .filter(each -> each.json().path("id").asText().equals(id))
                        .toList(),
                found -> !found.isEmpty())
            .getFirst()
            .json();
    assertThat(again.path("data")).isEqualTo(large.answer().path("data"));
  }

  @Test
  void theEventLogContinuesAfterItsLastEvent() {
    List<String> old =
        tenant.reads().stream()
            .filter(each -> each.as().equals("admin") && each.path().startsWith("/v1/events?"))
            .flatMap(each -> each.answer().path("data").valueStream())
            .map(each -> each.path("id").asText())
            .toList();
    assertThat(old).isNotEmpty();
    Head head = head("/v1/events?source=shop");
    String query = "?source=shop&cursor=" + Api.encode(head.cursor());
    try (Following stream = Following.open(tenant.admin(), query)) {
      List<String> ids = Stream.of("one", "two", "three").map(this::event).toList();
      stream.await(ids.getLast());
      assertThat(stream.ids()).containsSubsequence(ids).doesNotContainAnyElementsOf(old);
      assertThat(stream.ids()).doesNotHaveDuplicates();
      List<String> listed =
          StoredReads.rest(tenant.admin(), "/v1/events?source=shop&order=asc", head.cursor());
      assertThat(listed).containsSubsequence(ids).doesNotContainAnyElementsOf(old);
    }
    // Each cursor of then is good for its filters, and for no others.
    for (Head each : tenant.heads()) {
      String list = each.path() + (each.path().contains("?") ? "&" : "?") + "order=asc&cursor=";
      tenant.admin().get(list + Api.encode(each.cursor())).is(200);
    }
    String other = "/v1/events?source=other&cursor=" + Api.encode(head.cursor());
    tenant.admin().get(other).isError(400, "invalid_cursor");
  }

  private Head head(String path) {
    return tenant.heads().stream().filter(each -> each.path().equals(path)).findAny().orElseThrow();
  }

  private String event(String id) {
    JsonNode body =
        json(
            "{'source':'shop','event_type':'order.paid','payload':{'id':'%s','total':200}}"
                .formatted(id));
    return StoredTenant.post(tenant.as("ingest"), "/v1/events", body).path("id").asText();
  }

  @Test
  void aScriptProposesForNewEvents() {
    String event = event("fresh");
    List<String> plans =
        Await.until(
            LONGEST,
            () -> tenant.admin().get("/v1/plans?event_id=" + event).ids(),
            found -> !found.isEmpty());
    tenant.executed(
        new Plan(tenant.admin(), tenant.admin().get("/v1/plans/" + plans.getFirst()).is(200)));
    tenant.onlyCall("/notes/fresh");
  }

  @Test
  void aDerivedKeyIsDerivedAgainUnchanged() {
    JsonNode noted =
        tenant.reads().stream()
            .map(Read::answer)
            .filter(each -> each.path("object").asText().equals("action"))
            .filter(each -> each.path("entity_key").asText().equals("charge:e1"))
            .findFirst()
            .orElseThrow();
    String event = noted.path("event_id").asText();
    JsonNode body = json("{'event_id':'%s'}".formatted(event));
    String repropose = "/v1/operators/" + tenant.id("scripted") + "/repropose";
    StoredTenant.post(tenant.admin(), repropose, body);
    List<String> plans =
        Await.until(
            LONGEST,
            () -> tenant.admin().get("/v1/plans?event_id=" + event).ids(),
            found -> found.size() == 2);
    String newest = "/v1/plans/" + plans.getFirst();
    Plan again = tenant.executed(new Plan(tenant.admin(), tenant.admin().get(newest).is(200)));
    assertThat(noted.path("idempotency_key").asText()).startsWith("auto_");
    assertThat(again.action(0).path("idempotency_key")).isEqualTo(noted.path("idempotency_key"));
    assertThat(outcome(again, 0)).isEqualTo("deduplicated");
  }

  @Test
  void authorizationsAndTheirTokensStillWork() throws Exception {
    StoredScenario.consent(tenant.admin(), tenant.id("tasks.authorization_url"));
    String tasks = "/v1/connectors/" + tenant.id("tasks");
    assertThat(tenant.admin().get(tasks).is(200).path("status").asText()).isEqualTo("connected");
    assertThat(tenant.neighbours().authority().refreshes()).isZero();
    tenant.admin().post("/v1/connectors/" + tenant.id("boards") + "/test").is(200);
    assertThat(tenant.neighbours().authority().refreshes()).isEqualTo(1);
  }

  @Test
  void aServersAcceptedToolsAreCalledAndUndone() {
    JsonNode test = tenant.admin().post("/v1/connectors/" + tenant.id("served") + "/test").is(200);
    assertThat(test.path("tools_changed")).isEmpty();
    tenant.plan("held of the server").approve();
    assertThat(outcome(tenant.plan("held of the server"), 0)).isEqualTo("applied");
    McpUpstream.Called called = tenant.neighbours().mcp().calls().getFirst();
    assertThat(called.tool()).isEqualTo("refund-create");
    assertThat(called.headers()).containsEntry("Idempotency-Key", "served-2");
    tenant.undo(tenant.plan("served"));
    assertThat(tenant.neighbours().mcp().calls().getLast().args())
        .isEqualTo(Map.of("refund", "re_1", "order", "7"));
    assertThat(tenant.neighbours().mcp().calls()).hasSize(2);
  }

  @Test
  void aWorkspaceStillGetsItsOwnKeyAtTheSourceSystem() {
    ObjectNode hold =
        tenant.action("north-shop", "pay.hold.create", "{'charge':'north'}", "north-2");
    String path = "/v1/operators/" + tenant.id("north-desk") + "/plans";
    tenant.executed(
        new Plan(
            tenant.as("north"),
            StoredTenant.post(tenant.as("north"), path, Operator.proposal(hold))));
    assertThat(tenant.onlyCall("/holds/north").idempotencyKey())
        .isEqualTo(Canonical.sha256("north\nnorth-2").substring(0, 32));
  }

  /** Each change is receipted as one of what was stored. */
  @Test
  void configurationChangesStartFromTheStoredState() {
    Api api = tenant.admin();
    String paused = "/v1/operators/" + tenant.id("paused");
    assertThat(api.post(paused + "/resume").is(200).path("status").asText()).isEqualTo("active");
    follows("paused");
    api.post("/v1/operators/" + tenant.id("drafted") + "/publish").is(200);
    follows("drafted");
    api.patch("/v1/operators/" + tenant.id("yearly"), json("{'display_name':'Yearly'}")).is(200);
    follows("yearly");
    JsonNode put =
        api.put(
                "/v1/operators/" + tenant.id("judge") + "/guardrails",
                json("{'expected_version':3,'guardrails':[]}"))
            .is(200);
    assertThat(put.path("guardrails_version").asInt()).isEqualTo(4);
    follows("judge");
    api.post("/v1/operators/" + tenant.id("early") + "/resume").is(200);
    api.patch("/v1/connectors/" + tenant.id("lender"), json("{'name':'lending'}")).is(200);
    follows("lender");
    api.patch(
            "/v1/webhook_endpoints/" + tenant.id("disabled"), json("{'description':'Still deaf.'}"))
        .is(200);
    follows("disabled");
    api.patch("/v1/keys/" + tenant.id("lasting"), json("{'owner':'frank'}")).is(200);
    follows("lasting");
    api.delete("/v1/keys/" + tenant.id("lasting")).is(200);
    follows("lasting");
    tenant.as("lasting").get("/v1/plans").isError(401, "key_revoked");
    api.post("/v1/operators", json("{'name':'archived-desk'}")).is(201);
    String url = tenant.neighbours().receiver().url("/heard");
    api.post("/v1/webhook_endpoints", json("{'url':'%s','types':['plan.disposed']}".formatted(url)))
        .isError(409, "state_conflict");
    api.post("/v1/operators", json("{'name':'desk-desk'}")).isError(409, "state_conflict");
  }

  /** Requires that the last change of an object begins with what the one before ended with. */
  private void follows(String name) {
    List<JsonNode> changes =
        tenant.admin().get("/v1/receipts?kind=config&limit=100").data().stream()
            .filter(each -> each.at("/target/id").asText().equals(tenant.id(name)))
            .toList();
    assertThat(changes).hasSizeGreaterThan(1);
    assertThat(changes.get(0).at("/change/before_sha256"))
        .as(name)
        .isEqualTo(changes.get(1).at("/change/after_sha256"));
  }

  @Test
  void anExportIncludesTheEarlierReceipts() {
    JsonNode made = StoredTenant.post(tenant.admin(), "/v1/receipts/exports", Json.object());
    String path = "/v1/receipts/exports/" + made.path("id").asText();
    JsonNode done =
        Await.until(
            LONGEST,
            () -> tenant.admin().get(path).is(200),
            now -> now.path("status").asText().equals("complete"));
    long receipts =
        tenant.reads().stream()
            .filter(each -> each.as().equals("admin"))
            .filter(each -> each.answer().path("object").asText().equals("receipt"))
            .count();
    assertThat(done.path("row_count").asLong()).isGreaterThanOrEqualTo(receipts);
  }

  @Test
  void anAgentStillProposesForItsOperatorsOnly() {
    ObjectNode note =
        tenant
            .action("shop", "desk.note.add", "{'note':'agent-2'}", "agent-2")
            .put("entity_key", "desk:agent");
    String path = "/v1/operators/" + tenant.id("quick") + "/plans";
    StoredTenant.post(tenant.as("agent"), path, Operator.proposal(note));
    String other = "/v1/operators/" + tenant.id("desk") + "/plans";
    tenant.as("agent").post(other, Operator.proposal(note)).isError(404, "not_found");
  }
}
