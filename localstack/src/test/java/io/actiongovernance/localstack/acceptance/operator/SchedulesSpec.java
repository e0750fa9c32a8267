package io.actiongovernance.localstack.acceptance.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operators that run by a schedule (contract, section 4). */
@Acceptance
final class SchedulesSpec {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  private static ObjectNode scheduled(Given given, String schedule) {
    ObjectNode fields = Json.object();
    fields.putObject("triggers").put("schedule", schedule);
    ObjectNode plan =
        fields.putObject("model").put("provider", "scripted").putArray("plans").addObject();
    plan.putNull("event_type").put("reasoning", "It is time.");
    ObjectNode action = plan.putArray("actions").addObject();
    action
        .put("connector", given.connector())
        .put("tool", Given.NOTE)
        .put("entity_key", "desk:" + Given.unique("daily"));
    action.putObject("args").put("text", "still here");
    return fields;
  }

  private static List<JsonNode> plans(Given given, Operator operator) {
    return given.api().get("/v1/plans?operator_id=" + operator.id()).data();
  }

  private static Instant nextMinute(Instant after) {
    return after.truncatedTo(ChronoUnit.MINUTES).plus(1, ChronoUnit.MINUTES);
  }

  @Test
  void anOperatorRunsOnceForEachTimeItIsDue(Given given) {
    Instant begun = Instant.now();
    Operator byRate =
        given.operatorWith(scheduled(given, "rate(1 minute)"), Given.allow(Given.NOTE));
    Operator byCron =
        given.operatorWith(scheduled(given, "cron(* * * * ? *)"), Given.alert(Given.NOTE));
    Instant made = Instant.now();
    ObjectNode stopped = scheduled(given, "rate(1 minute)");
    Operator paused = given.operatorWith(stopped, Given.allow(Given.NOTE));
    given.api().post("/v1/operators/" + paused.id() + "/pause", Json.object()).is(200);
    Operator draft =
        given.operatorWith(
            scheduled(given, "rate(1 minute)").put("status", "draft"), Given.allow(Given.NOTE));

    JsonNode held =
        Await.until(LONGEST, () -> plans(given, byCron), found -> !found.isEmpty()).getFirst();
    Instant heldAt = Instant.parse(held.path("proposed_at").asText());
    // Deployed, what is due is looked for once a minute.
    assertThat(heldAt).isBetween(nextMinute(begun), nextMinute(made).plusSeconds(90));

    JsonNode ran =
        Await.until(LONGEST, () -> plans(given, byRate), found -> !found.isEmpty()).getFirst();
    Plan plan =
        new Plan(given.api(), given.api().get("/v1/plans/" + ran.path("id").asText()).is(200))
            .await("executed");
    Instant ranAt = Instant.parse(ran.path("proposed_at").asText());
    assertThat(ranAt).isBetween(begun.plusSeconds(55), made.plusSeconds(150));
    assertThat(plan.json().path("event_id").isNull()).isTrue();
    assertThat(plan.json().path("reasoning").asText()).isEqualTo("It is time.");
    assertThat(plan.json().path("correlation_id").asText()).startsWith("co_");
    assertThat(plan.receipt(0).path("request_id").isNull()).isTrue();
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");

    assertThat(plans(given, byRate)).hasSize(1);
    assertThat(plans(given, paused)).isEmpty();
    assertThat(plans(given, draft)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rate(0 minutes)",
        "rate(5 fortnights)",
        "cron(0 9 * * MON *)",
        "cron(61 9 ? * MON *)",
        "every day",
        "cron(٠ 0 * * ? *)",
        "cron(0 9 32W * ? *)",
        "cron(0 9 ? * 3#1,6#3 *)",
        "cron(0 9 ? * MON 2030-2026)",
        // No time is left, or none ever comes.
        "cron(0 9 ? * MON 2020)",
        "cron(30 9 30W 2 ? *)",
        "cron(30 9 29W 2 ? 2027)"
      })
  void anInvalidScheduleIsRefusedByItsField(String schedule, Given given) {
    ObjectNode body = scheduled(given, schedule).put("name", Given.unique("desk"));
    given.api().post("/v1/operators", body).isInvalid("triggers.schedule");
    Operator operator = given.operatorWith(Json.object(), Given.allow(Given.NOTE));
    given
        .api()
        .patch(
            "/v1/operators/" + operator.id(),
            Json.object().set("triggers", Json.object().put("schedule", schedule)))
        .isInvalid("triggers.schedule");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cron(30 9 31W * ? *)",
        "cron(30 9 LW * ? *)",
        "cron(0 9 1W,15W * ? *)",
        "cron(0 22-8 ? OCT-MAR FRI-MON *)"
      })
  void expressionsOfEventBridgeSchedulerAreAccepted(String schedule, Given given) {
    Operator operator = given.operatorWith(scheduled(given, schedule), Given.allow(Given.NOTE));
    JsonNode made = given.api().get("/v1/operators/" + operator.id()).is(200);
    assertThat(made.at("/triggers/schedule").asText()).isEqualTo(schedule);
    assertThat(made.has("status_reason")).isFalse();
  }

  @Test
  void anEndedScheduleIsReportedOnItsOperatorAndToWebhooks(Given given) {
    Hook hook = Hook.at(given.receiver(), given.api(), "operator.schedule_stopped");
    ZonedDateTime once = nextMinute(Instant.now().plusSeconds(5)).atZone(ZoneOffset.UTC);
    String schedule =
        "cron(%d %d %d %d ? %d)"
            .formatted(
                once.getMinute(),
                once.getHour(),
                once.getDayOfMonth(),
                once.getMonthValue(),
                once.getYear());
    Operator operator = given.operatorWith(scheduled(given, schedule), Given.allow(Given.NOTE));
    String path = "/v1/operators/" + operator.id();
    assertThat(given.api().get(path).is(200).has("status_reason")).isFalse();

    JsonNode told =
        Await.until(LONGEST, hook::received, found -> !found.isEmpty()).getFirst().json();
    assertThat(told.at("/data/id").asText()).isEqualTo(operator.id());
    assertThat(told.at("/data/object").asText()).isEqualTo("operator");
    JsonNode now = given.api().get(path).is(200);
    assertThat(now.path("status").asText()).isEqualTo("active");
    assertThat(now.path("status_reason").asText()).contains("no future run");
    assertThat(told.at("/data/status_reason")).isEqualTo(now.path("status_reason"));
    assertThat(
            Await.until(
                Duration.ofSeconds(30), () -> plans(given, operator), all -> !all.isEmpty()))
        .hasSize(1);
  }
}
