package io.actiongovernance.localstack.acceptance.stored;

import static io.actiongovernance.localstack.acceptance.stored.StoredRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.stored.StoredReads.Read;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages that a release or this build left on the queues are understood. Nothing but messages
 * drives the stack here: no relay, no sweeper, so that what happens is their doing. That today's
 * build writes the same is in {@code GoldenMessagesTest}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("stored")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls start before all else
final class StoredMessagesSpec {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  @Parameter private StoredData stored;
  private StoredTenant tenant;
  private String partition;

  @BeforeParameterizedClassInvocation(injectArguments = false)
  void start(@TempDir Path folder) throws Exception {
    tenant = new StoredTenant(stored, folder.resolve("data"), drivenByMessages());
    partition = event("noise.made").path("tenant_id").asText() + "#live";
  }

  @AfterParameterizedClassInvocation
  void stop() {
    tenant.close();
  }

  static List<StoredData> stored() {
    return StoredData.all();
  }

  private static Service drivenByMessages() {
    Service whole = Service.governance();
    return new Service(
        whole.resources(),
        whole.api(),
        whole.timeout(),
        whole.streams(),
        whole.stream(),
        whole.triggers().stream()
            .filter(
                each -> !(each.source() instanceof Every) && !(each.source() instanceof Changes))
            .toList());
  }

  /** An event of then. */
  private JsonNode event(String type) {
    return tenant.reads().stream()
        .map(Read::answer)
        .filter(each -> each.path("object").asText().equals("event"))
        .filter(each -> each.path("event_type").asText().equals(type))
        .findFirst()
        .orElseThrow();
  }

  private JsonNode action(Plan plan, String key) {
    return StreamSupport.stream(plan.json().path("actions").spliterator(), false)
        .filter(each -> each.path("idempotency_key").asText().equals(key))
        .map(each -> tenant.admin().get("/v1/actions/" + each.path("id").asText()).is(200))
        .findFirst()
        .orElseThrow();
  }

  /** As the dispatcher wrote it. */
  private String dispatch(JsonNode action) {
    return """
    {"partition":"%s","action_id":"%s","plan_id":"%s","operator_id":"%s","connector_id":"%s","line":"%s"}\
    """
        .formatted(
            partition,
            action.path("id").asText(),
            action.path("plan_id").asText(),
            action.path("operator_id").asText(),
            action.path("connector").asText(),
            action.path("entity_key").asText());
  }

  /** As the relay wrote it. */
  private String fact(String type, String id) {
    return """
    {"fact_id":"of-then:%1$s","type":"%1$s","partition":"%2$s","id":"%3$s","version":"7",\
    "at":"2026-11-20T21:44:07.412Z","changed":{"status":"executed"}}\
    """
        .formatted(type, partition, id);
  }

  private JsonNode await(String path, String field, String value) {
    return Await.until(
        LONGEST,
        () -> tenant.admin().get(path).is(200),
        now -> now.path(field).asText().equals(value));
  }

  @Test
  void aDispatchedActionIsExecuted() {
    JsonNode again = action(tenant.plan("called again"), "again");
    assertThat(tenant.upstream().calls("/notes/again?")).isEmpty();
    tenant.send(Queue.ACTIONS, dispatch(again), "of-then-1");
    await("/v1/actions/" + again.path("id").asText(), "ok", "true");
    assertThat(tenant.upstream().calls("/notes/again?")).hasSize(1);
  }

  @Test
  void aParkedActionIsDispatched() {
    JsonNode never = action(tenant.plan("never called again"), "refund-never");
    tenant.send(Queue.RESUME, dispatch(never), "");
    String path = "/v1/actions/" + never.path("id").asText();
    assertThat(await(path, "disposition", "ALERT").path("error").asText())
        .startsWith("outcome unknown");
    assertThat(tenant.upstream().calls("/refunds/never")).isEmpty();
  }

  @Test
  void aWakeMessageExpiresItsOverduePlan() {
    Plan plan = tenant.propose("fleeting", tenant.refund("looked-at"));
    String receipts = "/v1/receipts?outcome=expired&plan_id=" + plan.id();
    Await.until(LONGEST, plan::now, now -> now.status().equals("expired"));
    tenant.send(
        Queue.RESUME,
        "{\"partition\":\"%s\",\"plan_id\":\"%s\"}".formatted(partition, plan.id()),
        "");
    Await.until(LONGEST, () -> tenant.admin().get(receipts).data(), found -> !found.isEmpty());
  }

  @Test
  void aTimerIsStartedForAPlan() {
    Plan plan = tenant.propose("soon", tenant.refund("followed"));
    Path timer = tenant.executions().resolve("governance-plan-expiry/" + plan.id() + ".json");
    assertThat(timer).doesNotExist();
    tenant.send(Queue.PLAN_TIMERS, fact("plan.clock_started", plan.id()), "");
    Await.until(LONGEST, () -> Files.exists(timer), exists -> exists);
    plan.tryVeto("No.").is(200);
    tenant.send(Queue.PLAN_TIMERS, fact("plan.clock_stopped", plan.id()), "");
    Await.until(LONGEST, () -> Files.exists(timer), exists -> !exists);
  }

  @Test
  void aDeliveryAttemptIsMade() {
    JsonNode silent = tenant.thing("delivery in flight");
    String message =
        "{\"partition\":\"%s\",\"endpoint_id\":\"%s\",\"delivery_id\":\"%s\"}"
            .formatted(partition, tenant.id("silent"), silent.path("id").asText());
    tenant.send(Queue.ATTEMPTS, message, "of-then-2");
    assertThat(tenant.neighbours().receiver().await("/silent", 1)).hasSize(1);
  }

  @Test
  void aFactIsDelivered() {
    String plan = tenant.plan("approved").id();
    tenant.send(Queue.DELIVERIES, fact("plan.disposed", plan), "");
    JsonNode delivered = tenant.neighbours().receiver().await("/heard", 1).getFirst().json();
    assertThat(delivered.at("/data/id").asText()).isEqualTo(plan);
    assertThat(delivered.path("created_at").asText()).isEqualTo("2026-11-20T21:44:07.412Z");
  }

  @Test
  void anEventIsProposedFor() {
    ObjectNode operator =
        (ObjectNode)
            json(
                """
                {'name':'noise-desk','triggers':{'event_types':['noise.*']},'guardrails':%s,
                 'model':{'provider':'scripted','plans':[{'event_type':'noise.*','reasoning':'Heard.',
                   'actions':[{'connector':'%s','tool':'pay.refund.create',
                     'args':{'charge':'noise'}}]}]}}
                """
                    .formatted(StoredScenario.guardrails("ALERT", "pay.*.*"), tenant.id("shop")));
    String id = StoredTenant.post(tenant.admin(), "/v1/operators", operator).path("id").asText();
    tenant.send(
        Queue.PROPOSALS, fact("envelope.ingested", event("noise.made").path("id").asText()), "");
    String plans = "/v1/plans?operator_id=" + id;
    Await.until(LONGEST, () -> tenant.admin().get(plans).data(), found -> found.size() == 1);
  }

  @Test
  void anExportIsWritten() {
    JsonNode export = StoredTenant.post(tenant.admin(), "/v1/receipts/exports", Json.object());
    String id = export.path("id").asText();
    tenant.send(Queue.EXPORTS, fact("export.requested", id), "");
    await("/v1/receipts/exports/" + id, "status", "complete");
  }
}
