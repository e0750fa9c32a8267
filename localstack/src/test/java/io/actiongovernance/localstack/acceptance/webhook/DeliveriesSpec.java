package io.actiongovernance.localstack.acceptance.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.stripe.exception.SignatureVerificationException;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.acceptance.fixture.Receiver.Behaviour;
import io.actiongovernance.localstack.acceptance.fixture.Receiver.Received;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.fixture.Certificates;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Webhook deliveries (specification, Delivery rules; contract, section 8). */
@Acceptance
final class DeliveriesSpec {
  private static final String RECEIPT = "receipt.written";

  /** Receipts that twenty endpoints hear of; more with {@code -Dgovernance.fan-out=1000}. */
  private static final int FAN_OUT = Integer.getInteger("governance.fan-out", 10);

  /** Actions that a plan may have. */
  private static final int LARGEST_PLAN = 50;

  private static final String[] ALL_TYPES = {
    "plan.proposed",
    "plan.disposed",
    "action.disposed",
    "action.needs_approval",
    "connector.status_changed",
    RECEIPT,
    "webhook_endpoint.status_changed"
  };

  private static Operator noter(Given given) {
    return given.operator(Given.allow(Given.NOTE), Given.alert(Given.REFUND));
  }

  private static boolean stripeVerifies(Received received, String secret) throws Exception {
    return com.stripe.net.Webhook.Signature.verifyHeader(
        received.body(), received.header("Service-Signature"), secret, 300);
  }

  private static void standardVerifies(Received received, String secret) throws Exception {
    Map<String, List<String>> headers =
        Map.of(
            "webhook-id", List.of(received.header("webhook-id")),
            "webhook-timestamp", List.of(received.header("webhook-timestamp")),
            "webhook-signature", List.of(received.header("webhook-signature")));
    new Webhook(secret).verify(received.body(), HttpHeaders.of(headers, (_, _) -> true).map());
  }

  private static List<String> types(List<JsonNode> deliveries) {
    return deliveries.stream().map(each -> each.path("type").asText()).toList();
  }

  @Test
  void aReceiptIsDeliveredOnceAndSigned(Given given) throws Exception {
    Operator operator = noter(given);
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    Instant before = Instant.now();
    Operator.Plan plan = operator.propose(operator.note("order:1")).await("executed");
    Received received = hook.await(1).getFirst();
    JsonNode body = Shape.POSTED_DELIVERY.of(received.json());
    assertThat(received.header("Content-Type")).isEqualTo("application/json");
    assertThat(body.path("object").asText()).isEqualTo("webhook_delivery");
    assertThat(body.path("endpoint_id").asText()).isEqualTo(hook.id());
    assertThat(body.path("type").asText()).isEqualTo(RECEIPT);
    assertThat(body.path("attempt").asInt()).isEqualTo(1);
    assertThat(body.path("data")).isEqualTo(plan.receipt(0));
    assertThat(body.path("correlation_id")).isEqualTo(body.at("/data/correlation_id"));
    assertThat(Instant.parse(body.path("created_at").asText()))
        .isAfter(before.minusMillis(1))
        .isBefore(Instant.now());
    assertThat(received.header("webhook-id")).isEqualTo(body.path("id").asText());
    assertThat(stripeVerifies(received, hook.secret())).isTrue();
    standardVerifies(received, hook.secret());

    JsonNode delivery = Shape.WEBHOOK_DELIVERY.of(hook.delivery("succeeded"));
    assertThat(delivery.path("id")).isEqualTo(body.path("id"));
    assertThat(delivery.path("id").asText()).matches("dlv_[0-9a-z]{26}");
    assertThat(delivery.path("data")).isEqualTo(body.path("data"));
    assertThat(delivery.path("created_at")).isEqualTo(body.path("created_at"));
    assertThat(delivery.path("response_status").asInt()).isEqualTo(204);
    assertThat(delivery.path("next_attempt_at").isNull()).isTrue();
    assertThat(delivery.path("test").asBoolean()).isFalse();
    JsonNode attempt = Shape.DELIVERY_ATTEMPT.of(delivery.at("/attempts/0"));
    assertThat(attempt.path("error").isNull()).isTrue();
    assertThat(attempt.path("response_status").asInt()).isEqualTo(204);
    String one = hook.deliveriesPath() + "/" + delivery.path("id").asText();
    assertThat(given.api().get(one).is(200)).isEqualTo(delivery);
    JsonNode endpoint =
        Await.until(
            Duration.ofSeconds(10),
            () -> given.api().get(hook.path()).is(200),
            read -> read.path("last_delivery_at").isTextual());
    assertThat(endpoint.path("failing_since").isNull()).isTrue();
    assertThat(hook.received()).hasSize(1);
  }

  @Test
  void everyTypeDeliversItsObjectAsRetrieved(Given given) {
    Api api = given.api();
    Hook hook = Hook.at(given.receiver(), api, ALL_TYPES);
    Hook other = Hook.at(given.receiver(), api, "plan.proposed");
    Operator operator = noter(given);
    Operator.Plan plan = operator.propose(operator.refund("ch_1"), operator.note("order:2"));
    plan.approve();
    given.upstream().next("/", new Upstream.Behaviour.Fail(401, "{}", Map.of()));
    api.post("/v1/connectors/" + operator.connector() + "/test").isError(422, "auth_failed");
    api.patch(other.path(), Json.object().put("status", "disabled")).is(200);
    List<String> expected =
        List.of(
            "action.disposed",
            "action.disposed",
            "action.needs_approval",
            "connector.status_changed",
            "plan.disposed",
            "plan.proposed",
            RECEIPT,
            RECEIPT,
            "webhook_endpoint.status_changed");
    List<JsonNode> deliveries =
        Await.until(
            Duration.ofSeconds(30),
            hook::deliveries,
            all -> all.size() >= expected.size() && all.stream().allMatch(DeliveriesSpec::done));
    assertThat(types(deliveries)).containsExactlyInAnyOrderElementsOf(expected);
    for (JsonNode delivery : deliveries) {
      JsonNode data = delivery.path("data");
      String id = data.path("id").asText();
      switch (delivery.path("type").asText()) {
        case "plan.proposed" -> {
          Shape.PLAN.of(data);
          assertThat(id).isEqualTo(plan.id());
        }
        case "plan.disposed" -> assertThat(data).isEqualTo(api.get("/v1/plans/" + id).is(200));
        case "action.disposed" -> assertThat(data).isEqualTo(api.get("/v1/actions/" + id).is(200));
        case "action.needs_approval" -> {
          assertThat(id).isEqualTo(plan.actionId(0));
          assertThat(data.path("plan_id").asText()).isEqualTo(plan.id());
        }
        case RECEIPT -> assertThat(data).isEqualTo(api.get("/v1/receipts/" + id).is(200));
        case "connector.status_changed" -> {
          assertThat(data.path("status").asText()).isEqualTo("error");
          assertThat(data).isEqualTo(api.get("/v1/connectors/" + id).is(200));
        }
        default -> {
          assertThat(data.path("status").asText()).isEqualTo("disabled");
          assertThat(data.path("secret").asText()).startsWith("whsec_…");
          Shape.WEBHOOK_ENDPOINT.of(data);
        }
      }
      if (!delivery.path("type").asText().contains("status_changed")) {
        assertThat(delivery.path("correlation_id")).isEqualTo(data.path("correlation_id"));
      }
    }
  }

  private static boolean done(JsonNode delivery) {
    return delivery.path("status").asText().equals("succeeded");
  }

  @Test
  void vetoedAndExpiredPlansAreDeliveredAsDisposed(Given given) {
    Operator operator =
        given.operatorWith(Json.object().put("plan_ttl_seconds", 5), Given.alert(Given.REFUND));
    Hook hook = Hook.at(given.receiver(), given.api(), "plan.disposed");
    Operator.Plan vetoed = operator.propose(operator.refund("ch_1"));
    vetoed.tryVeto("No.").is(200);
    Operator.Plan expired = operator.propose(operator.refund("ch_2"));
    Map<String, String> statuses = new java.util.HashMap<>();
    hook.await(2)
        .forEach(
            each ->
                statuses.put(
                    each.json().at("/data/id").asText(), each.json().at("/data/status").asText()));
    assertThat(statuses).isEqualTo(Map.of(vetoed.id(), "vetoed", expired.id(), "expired"));
  }

  @Test
  void onlyActiveEndpointsOfTheTypeModeAndTenantGetAReceipt(Given given) {
    Operator operator = noter(given);
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    Hook plans = Hook.at(given.receiver(), given.api(), "plan.disposed");
    Hook disabled = Hook.at(given.receiver(), given.api(), RECEIPT);
    given.api().patch(disabled.path(), Json.object().put("status", "disabled")).is(200);
    Hook ofTest = Hook.at(given.receiver(), given.testApi(), RECEIPT);
    Hook stranger = Hook.at(given.receiver(), given.anotherTenant(), RECEIPT);
    Hook ofWorkspace =
        Hook.at(given.receiver(), given.api(), Json.object().put("workspace_id", "first"), RECEIPT);
    operator.propose(operator.note("order:1")).await("executed");
    hook.await(1);
    plans.await(1);
    for (Hook deaf : List.of(disabled, ofTest, stranger, ofWorkspace)) {
      assertThat(deaf.deliveries()).isEmpty();
      assertThat(deaf.received()).isEmpty();
    }
  }

  @Test
  void aWorkspaceEndpointGetsOnlyFactsOfItsWorkspace(Given given) {
    Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", "first"));
    Hook mine = Hook.at(given.receiver(), pinned, RECEIPT);
    assertThat(mine.created().path("workspace_id").asText()).isEqualTo("first");
    Hook whole = Hook.at(given.receiver(), given.api(), RECEIPT);
    Operator operator =
        given.operatorOf(
            pinned, given.install(pinned, null), Json.object(), Given.allow(Given.NOTE));
    operator.propose(operator.note("order:1")).await("executed");
    Operator tenantWide = noter(given);
    tenantWide.propose(tenantWide.note("order:2")).await("executed");
    whole.await(2);
    assertThat(mine.await(1)).hasSize(1);
    assertThat(mine.received().getFirst().json().at("/data/entity_key").asText())
        .isEqualTo("order:1");
  }

  @Test
  void anEndpointGetsConfigReceiptsButNoneOfItselfOrFromBefore(Given given) {
    Operator operator = noter(given);
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    given.api().patch(hook.path(), Json.object().put("description", "Mine.")).is(200);
    String path = "/v1/operators/" + operator.id();
    given.api().patch(path, Json.object().put("description", "Changed.")).is(200);
    JsonNode receipt = given.api().get("/v1/receipts?kind=config").data().getFirst();
    List<Received> received = given.receiver().await(hook.target(), 1);
    assertThat(received).hasSize(1);
    assertThat(received.getFirst().json().path("data")).isEqualTo(receipt);
  }

  @Test
  void aFailedAttemptIsRepeatedUnderItsId(Given given) throws Exception {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    hook.next(new Behaviour.Answer(500), new Behaviour.Answer(404));
    String id = hook.test(RECEIPT).path("id").asText();
    JsonNode delivery = hook.delivery("succeeded");
    assertThat(delivery.path("id").asText()).isEqualTo(id);
    assertThat(delivery.path("attempt").asInt()).isEqualTo(3);
    assertThat(delivery.path("test").asBoolean()).isTrue();
    assertThat(delivery.at("/attempts/0/response_status").asInt()).isEqualTo(500);
    assertThat(delivery.at("/attempts/0/error").asText()).isEqualTo("it answered 500");
    assertThat(delivery.at("/attempts/1/response_status").asInt()).isEqualTo(404);
    assertThat(delivery.at("/attempts/2/error").isNull()).isTrue();
    List<Received> received = hook.received();
    assertThat(received)
        .extracting(each -> each.json().path("attempt").asInt())
        .containsExactly(1, 2, 3);
    for (Received each : received) {
      assertThat(each.header("webhook-id")).isEqualTo(id);
      assertThat(stripeVerifies(each, hook.secret())).isTrue();
      standardVerifies(each, hook.secret());
    }
  }

  @Test
  void aDeliveryFailsWhenItsAttemptsAreUsedUp(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    hook.always(new Behaviour.Answer(503));
    hook.test(RECEIPT);
    JsonNode waiting = hook.attempted(1);
    assertThat(waiting.path("status").asText()).isEqualTo("pending");
    assertThat(waiting.path("next_attempt_at").isTextual()).isTrue();
    JsonNode failed = hook.delivery("failed");
    assertThat(failed.path("attempt").asInt()).isEqualTo(4);
    assertThat(failed.path("attempts")).hasSize(4);
    assertThat(failed.path("response_status").asInt()).isEqualTo(503);
    assertThat(failed.path("next_attempt_at").isNull()).isTrue();
    assertThat(hook.received()).hasSize(4);
    JsonNode endpoint = given.api().get(hook.path()).is(200);
    assertThat(endpoint.path("status").asText()).isEqualTo("active");
    assertThat(endpoint.path("failing_since").isTextual()).isTrue();
  }

  @Test
  void a410AnswerEndsADeliveryAtOnce(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    hook.always(new Behaviour.Answer(410));
    hook.test(RECEIPT);
    assertThat(hook.delivery("failed").path("attempts")).hasSize(1);
  }

  @Test
  void retryAfterIsHonouredUpToTwiceTheStep(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    hook.next(
        new Behaviour.Answer(429, "Retry-After", "600"),
        new Behaviour.Answer(500, "Retry-After", "600"));
    hook.test(RECEIPT);
    List<Received> received = hook.await(3);
    JsonNode delivery = hook.delivery("succeeded");
    Instant first = Instant.parse(delivery.at("/attempts/0/at").asText());
    Instant second = Instant.parse(delivery.at("/attempts/1/at").asText());
    assertThat(Duration.between(first, second)).isBetween(Duration.ofMillis(1_900), LATE);
    assertThat(received).hasSize(3);
  }

  private static final Duration LATE = Duration.ofSeconds(12);

  static Stream<Arguments> hostile() {
    return Stream.of(
        Arguments.of(
            new Behaviour.Answer(302, "Location", "http://10.0.0.1/"),
            302,
            "it answered 302; redirects are not followed"),
        Arguments.of(new Behaviour.Reset(), null, "the connection broke"),
        Arguments.of(new Behaviour.Half(), null, "the connection broke"),
        Arguments.of(new Behaviour.Silence(), null, "it did not answer in time"),
        Arguments.of(
            new Behaviour.Drip(Duration.ofMillis(500), true), null, "it did not answer in time"),
        Arguments.of(
            new Behaviour.Drip(Duration.ofMillis(500), false), null, "it did not answer in time"),
        Arguments.of(new Behaviour.Answer(400), 400, "it answered 400"));
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void theReceiversBehaviourIsRecordedOnTheAttempt(
      Behaviour behaviour, Integer status, String error, Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    hook.next(behaviour);
    hook.test(RECEIPT);
    JsonNode attempt = hook.attempted(1).at("/attempts/0");
    assertThat(attempt.path("error").asText()).isEqualTo(error);
    assertThat(attempt.path("response_status").isNull()).isEqualTo(status == null);
    if (status != null) {
      assertThat(attempt.path("response_status").asInt()).isEqualTo(status);
    }
    assertThat(attempt.path("duration_ms").asLong()).isLessThan(11_000);
    assertThat(hook.delivery("succeeded").path("attempt").asInt()).isEqualTo(2);
  }

  @Test
  void aCertificateThatNobodyTrustsIsRefused(Given given) {
    try (Receiver untrusted = new Receiver(Certificates.untrustedServer(Receiver.HOST));
        Receiver ofAnother = new Receiver(Certificates.server("hooks.example"))) {
      for (Receiver receiver : List.of(untrusted, ofAnother)) {
        Hook hook = Hook.at(receiver, given.api(), RECEIPT);
        hook.test(RECEIPT);
        assertThat(hook.attempted(1).at("/attempts/0/error").asText())
            .isEqualTo("no secure connection could be made");
        assertThat(hook.received()).isEmpty();
      }
    }
  }

  @Test
  void oneTenantsDeadEndpointsDoNotDelayOthers(Given given) {
    for (int dead = 0; dead < 10; dead++) {
      Hook hook = Hook.at(given.receiver(), given.api(), "plan.proposed");
      hook.always(new Behaviour.Silence());
      for (int count = 0; count < 2; count++) {
        hook.test("plan.proposed");
      }
    }
    Hook other = Hook.at(given.receiver(), given.anotherTenant(), RECEIPT);
    long began = System.nanoTime();
    for (int count = 1; count <= 5; count++) {
      other.test(RECEIPT);
      other.await(count);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(40));
  }

  @Test
  void aRotatedSecretSignsBesideTheNewOneDuringTheOverlap(Given given) throws Exception {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    ObjectNode rotate = Json.object().put("rotate_secret", true).put("rotate_overlap_seconds", 15);
    JsonNode rotated = given.api().patch(hook.path(), rotate).is(200);
    String second = rotated.path("secret").asText();
    Instant over = Instant.parse(rotated.path("previous_secret_expires_at").asText());
    hook.test(RECEIPT);
    Received during = hook.await(1).getFirst();
    assertThat(during.header("Service-Signature")).matches("t=[0-9]+(,v1=[0-9a-f]{64}){2}");
    assertThat(during.header("webhook-signature")).matches("v1,[^ ]+ v1,[^ ]+");
    for (String secret : List.of(hook.secret(), second)) {
      assertThat(stripeVerifies(during, secret)).isTrue();
      standardVerifies(during, secret);
    }
    Await.until(Duration.ofSeconds(30), Instant::now, over::isBefore);
    assertThat(given.api().get(hook.path()).is(200).path("previous_secret_expires_at").isNull())
        .isTrue();
    hook.test(RECEIPT);
    Received after = hook.await(2).getLast();
    assertThat(after.header("Service-Signature")).matches("t=[0-9]+,v1=[0-9a-f]{64}");
    assertThat(stripeVerifies(after, second)).isTrue();
    standardVerifies(after, second);
    assertThatThrownBy(() -> stripeVerifies(after, hook.secret()))
        .isInstanceOf(SignatureVerificationException.class);
    assertThatThrownBy(() -> standardVerifies(after, hook.secret()))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void aFinishedDeliveryIsRedeliveredUnderItsId(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    hook.test(RECEIPT);
    JsonNode first = hook.delivery("succeeded");
    String redeliver = hook.deliveriesPath() + "/" + first.path("id").asText() + "/redeliver";
    hook.next(new Behaviour.Late(Duration.ofSeconds(2)));
    JsonNode again = Shape.WEBHOOK_DELIVERY.of(given.api().post(redeliver).is(200));
    assertThat(again.path("status").asText()).isEqualTo("pending");
    assertThat(again.path("id")).isEqualTo(first.path("id"));
    given.api().post(redeliver).isError(409, "state_conflict");
    assertThat(hook.attempted(2).path("attempt").asInt()).isEqualTo(2);
    assertThat(hook.await(2).getLast().json().path("attempt").asInt()).isEqualTo(2);
    hook.delivery("succeeded");
    given.api().patch(hook.path(), Json.object().put("status", "disabled")).is(200);
    given.api().post(redeliver).isError(409, "state_conflict");
    given
        .api()
        .post(hook.path() + "/test", Json.object().put("type", RECEIPT))
        .isError(409, "state_conflict");
    given
        .api()
        .post(hook.path() + "/recover", Json.object().put("since", "2026-01-01T00:00:00Z"))
        .isError(409, "state_conflict");
    assertThat(hook.received()).hasSize(2);
  }

  @Test
  void failedDeliveriesCanBeRecoveredTogether(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT, "plan.proposed");
    hook.next(new Behaviour.Answer(410), new Behaviour.Answer(410), new Behaviour.Answer(410));
    List<String> made = new ArrayList<>();
    for (int count = 0; count < 3; count++) {
      made.add(hook.test(RECEIPT).path("id").asText());
    }
    String failed = hook.deliveriesPath() + "?status=failed";
    Await.until(
        Duration.ofSeconds(20), () -> given.api().get(failed).ids(), ids -> ids.size() == 3);
    String since = hook.deliveries().getLast().path("created_at").asText();
    String until = hook.deliveries().getFirst().path("created_at").asText();
    ObjectNode range = Json.object().put("since", since).put("until", until);
    JsonNode recovered = given.api().post(hook.path() + "/recover", range).is(200);
    assertThat(recovered.path("object").asText()).isEqualTo("webhook_recovery");
    assertThat(recovered.path("recovered").asInt()).as("until is exclusive").isEqualTo(2);
    assertThat(recovered.path("has_more").asBoolean()).isFalse();
    Await.until(
        Duration.ofSeconds(20), () -> given.api().get(failed).ids(), ids -> ids.size() == 1);
    ObjectNode all = Json.object().put("since", since);
    assertThat(given.api().post(hook.path() + "/recover", all).is(200).path("recovered").asInt())
        .isEqualTo(1);
    hook.await(6);
    Await.until(
        Duration.ofSeconds(20),
        () -> given.api().get(hook.deliveriesPath() + "?status=succeeded").ids(),
        ids -> new HashSet<>(ids).equals(new HashSet<>(made)));
  }

  @Test
  void deliveriesAreListedAndFiltered(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT, "plan.proposed");
    hook.next(new Behaviour.Answer(410));
    String one = hook.test(RECEIPT).path("id").asText();
    hook.await(1);
    String two = hook.test("plan.proposed").path("id").asText();
    String three = hook.test(RECEIPT).path("id").asText();
    Await.until(
        Duration.ofSeconds(20),
        hook::deliveries,
        all -> all.stream().noneMatch(each -> each.path("status").asText().equals("pending")));
    Api api = given.api();
    String path = hook.deliveriesPath();
    Lists.hold(api, path, List.of(three, two, one));
    assertThat(api.get(path + "?status=failed").ids()).containsExactly(one);
    assertThat(api.get(path + "?status=succeeded").ids()).containsExactly(three, two);
    assertThat(api.get(path + "?status=succeeded&type=" + RECEIPT).ids()).containsExactly(three);
    assertThat(api.get(path + "?status=pending").ids()).isEmpty();
    assertThat(api.get(path + "?type=plan.proposed").ids()).containsExactly(two);
    String middle = api.get(path + "/" + two).is(200).path("created_at").asText();
    assertThat(api.get(path + "?since=" + middle).ids()).containsExactly(three, two);
    assertThat(api.get(path + "?until=" + middle).ids()).containsExactly(one);
    Lists.bindCursors(api, path, "?type=" + RECEIPT, "/v1/webhook_endpoints");
    Lists.refuseNonsense(api, path);
    api.get(path + "?status=broken").isInvalid("status");
    api.get(path + "?type=plan.invented").isInvalid("type");
  }

  @Test
  void badInputIsRefused(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    Api api = given.api();
    api.post(hook.path() + "/test", Json.object().put("type", "plan.invented")).isInvalid("type");
    api.post(hook.path() + "/test", Json.object().put("type", 1)).isInvalid("type");
    assertThat(
            api.post(hook.path() + "/test")
                .isError(400, "missing_parameter")
                .path("param")
                .asText())
        .isEqualTo("type");
    assertThat(
            api.post(hook.path() + "/recover")
                .isError(400, "missing_parameter")
                .path("param")
                .asText())
        .isEqualTo("since");
    ObjectNode range = Json.object().put("since", "yesterday");
    api.post(hook.path() + "/recover", range).isInvalid("since");
    range.put("since", "2026-11-20T00:00:00Z").put("until", "2026-11-20T00:00:00Z");
    api.post(hook.path() + "/recover", range).isInvalid("until");
    String nothing = hook.deliveriesPath() + "/dlv_" + "0".repeat(26);
    api.get(nothing).isError(404, "not_found");
    api.post(nothing + "/redeliver").isError(404, "not_found");
    api.post(nothing + "/redeliver", Json.object().put("why", "so")).isInvalid("why");
    Hook other = Hook.at(given.receiver(), api, RECEIPT);
    String id = other.test(RECEIPT).path("id").asText();
    api.get(hook.deliveriesPath() + "/" + id).isError(404, "not_found");
    assertThat(hook.deliveries()).isEmpty();
  }

  @Test
  void aTestDeliveryOfAnyTypeHasItsShape(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    Map<String, Shape> shapes =
        Map.of(
            "plan.proposed",
            Shape.PLAN,
            "plan.disposed",
            Shape.PLAN,
            "webhook_endpoint.status_changed",
            Shape.WEBHOOK_ENDPOINT);
    for (String type : ALL_TYPES) {
      JsonNode delivery = Shape.WEBHOOK_DELIVERY.of(hook.test(type));
      assertThat(delivery.path("type").asText()).isEqualTo(type);
      assertThat(delivery.path("test").asBoolean()).isTrue();
      if (type.equals(RECEIPT)) {
        Shape.RECEIPT.of(delivery.path("data"), "trace_id", "evaluated_at");
      } else if (shapes.containsKey(type)) {
        shapes.get(type).of(delivery.path("data"));
      } else if (type.startsWith("action")) {
        Shape.ACTION.of(delivery.path("data"), "value");
      }
    }
    assertThat(hook.await(ALL_TYPES.length)).hasSize(ALL_TYPES.length);
  }

  @Test
  void deliveriesOfADeletedEndpointStayReadableAndNoneIsAttempted(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), RECEIPT);
    hook.always(new Behaviour.Answer(500));
    hook.test(RECEIPT);
    JsonNode pending = hook.attempted(1);
    given.api().delete(hook.path()).is(200);
    JsonNode dropped = hook.delivery("failed");
    assertThat(dropped.path("next_attempt_at").isNull()).isTrue();
    assertThat(dropped.path("id")).isEqualTo(pending.path("id"));
    String one = hook.deliveriesPath() + "/" + pending.path("id").asText();
    assertThat(given.api().get(one).is(200).path("status").asText()).isEqualTo("failed");
    given.api().post(one + "/redeliver").isError(404, "not_found");
    int before = hook.received().size();
    Hook witness = Hook.at(given.receiver(), given.api(), RECEIPT);
    witness.next(new Behaviour.Answer(500), new Behaviour.Answer(500));
    witness.test(RECEIPT);
    witness.await(3);
    assertThat(hook.received().size() - before).isLessThan(2);
  }

  @Test
  void aFanOutLosesNothing(Given given) {
    Operator operator = noter(given);
    List<Hook> hooks = new ArrayList<>();
    for (int count = 0; count < 20; count++) {
      hooks.add(Hook.at(given.receiver(), given.api(), RECEIPT));
    }
    for (int first = 0; first < FAN_OUT; first += LARGEST_PLAN) {
      ObjectNode[] notes = new ObjectNode[Math.min(LARGEST_PLAN, FAN_OUT - first)];
      for (int at = 0; at < notes.length; at++) {
        notes[at] = operator.note("order:" + (first + at));
      }
      operator.propose(notes).await("executed", Duration.ofMinutes(2));
    }
    Set<String> receipts =
        new TreeSet<>(Lists.readAll(given.api(), "/v1/receipts?kind=action", 100));
    assertThat(receipts).hasSize(FAN_OUT);
    for (Hook hook : hooks) {
      Set<String> told = new TreeSet<>();
      Map<String, String> ids = new java.util.HashMap<>();
      Await.until(
          Duration.ofMinutes(4).plusSeconds(5L * FAN_OUT),
          () -> ofActions(hook),
          seen -> {
            if (seen.size() >= FAN_OUT) {
              seen.forEach(each -> told.add(each.json().at("/data/id").asText()));
            }
            return told.equals(receipts);
          });
      for (Received each : ofActions(hook)) {
        String receipt = each.json().at("/data/id").asText();
        String id = each.json().path("id").asText();
        assertThat(ids.merge(receipt, id, (one, other) -> other)).isEqualTo(id);
      }
      assertThat(new HashSet<>(ids.values())).hasSize(FAN_OUT);
      assertThat(Lists.readAll(given.api(), hook.deliveriesPath(), 100)).containsAll(ids.values());
    }
  }

  /** What an endpoint heard of actions; it hears of the endpoints made after it too. */
  private static List<Received> ofActions(Hook hook) {
    return hook.received().stream()
        .filter(each -> each.json().at("/data/kind").asText().equals("action"))
        .toList();
  }
}
