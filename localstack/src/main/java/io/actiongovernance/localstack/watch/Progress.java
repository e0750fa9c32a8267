package io.actiongovernance.localstack.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import io.actiongovernance.localstack.watch.Screen.Kind;
import io.actiongovernance.localstack.watch.Screen.Mood;
import io.actiongovernance.plan.PlanOutcomes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Follows the consequences of events. The stream has only envelopes, so plans and actions are
 * looked up as they appear. Each look-up costs three requests, or a few more when much has
 * happened. Only one thread may use it, except for {@link #seen}.
 */
final class Progress {
  /** Greatest lag of a list: a new item may be this much older than the newest one seen. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  private final Api api;
  private final Screen screen;
  private final boolean onlySeen;
  private final Set<String> events = ConcurrentHashMap.newKeySet();
  private final Map<String, String> operators = new HashMap<>();

  /** Plans already shown, with the status last shown. */
  private final Map<String, String> plans = bounded();

  private final Map<String, String> actions = bounded();
  private Instant plansSince;
  private Instant actionsSince;

  /**
   * Follows everything that happens from {@code now} on.
   *
   * @param onlySeen whether to show only the plans of events that were {@link #seen}
   */
  Progress(Api api, Screen screen, Instant now, boolean onlySeen) {
    this.api = api;
    this.screen = screen;
    this.onlySeen = onlySeen;
    this.plansSince = now;
    this.actionsSince = now;
  }

  /**
   * Returns a map that drops its oldest entries when there are too many, so that a watch can run
   * for days.
   */
  private static Map<String, String> bounded() {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
        return size() > 5_000;
      }
    };
  }

  /** Records that the stream reported an event. */
  void seen(String eventId) {
    if (onlySeen) {
      events.add(eventId);
    }
  }

  void look() throws IOException, InterruptedException {
    for (JsonNode plan : api.list("/v1/plans?limit=100&since=" + plansSince).reversed()) {
      plansSince = later(plansSince, plan.path("proposed_at").asText());
      tell(plan);
    }
    lookAtOpenPlans();
    for (JsonNode action : api.list("/v1/actions?limit=100&since=" + actionsSince).reversed()) {
      actionsSince = later(actionsSince, action.path("disposed_at").asText());
      if (plans.containsKey(action.path("plan_id").asText())
          && actions.putIfAbsent(action.path("id").asText(), "") == null) {
        tellAction(action);
      }
    }
  }

  private static Instant later(Instant since, String at) {
    Instant from = Instant.parse(at).minus(SLACK);
    return from.isAfter(since) ? from : since;
  }

  private void lookAtOpenPlans() throws IOException, InterruptedException {
    List<String> open =
        plans.entrySet().stream()
            .filter(plan -> plan.getValue().equals("proposed"))
            .map(Map.Entry::getKey)
            .toList();
    if (open.isEmpty()) {
      return;
    }
    Set<String> still = ConcurrentHashMap.newKeySet();
    api.get("/v1/plans?limit=100&status=proposed")
        .path("data")
        .forEach(plan -> still.add(plan.path("id").asText()));
    for (String id : open) {
      if (!still.contains(id)) {
        tell(api.get("/v1/plans/" + id));
      }
    }
  }

  private void tell(JsonNode plan) throws IOException, InterruptedException {
    String id = plan.path("id").asText();
    String status = plan.path("status").asText();
    boolean wanted = !onlySeen || events.contains(plan.path("event_id").asText());
    if (!wanted || status.equals(plans.put(id, status))) {
      return;
    }
    String waiting = plan.path("waiting_on").textValue();
    // Items of a list lack the reason for a veto; the plan itself has it.
    JsonNode whole = status.equals("vetoed") ? api.get("/v1/plans/" + id) : plan;
    boolean waits = status.equals("proposed") && waiting != null;
    String reason = whole.path("veto_reason").textValue();
    PlanOutcomes outcomes =
        plan.path("outcomes").isObject()
            ? Json.convert(plan.path("outcomes"), PlanOutcomes.class)
            : null;
    screen.line(
        Kind.PLAN,
        mood(status, outcomes),
        whole,
        "%s%s%s  %s  %s%s"
            .formatted(
                status,
                outcomes == null ? "" : ", " + outcomes.word(),
                waits ? " (waits for " + waiting + ")" : reason == null ? "" : ": " + reason,
                operator(plan.path("operator_id").asText()),
                id,
                plan.path("event_id").isTextual() ? "  of " + plan.path("event_id").asText() : ""));
  }

  private static Mood mood(String status, @Nullable PlanOutcomes outcomes) {
    return switch (status) {
      case "executed" -> outcomes == null || outcomes.ranAsApproved() ? Mood.GOOD : Mood.BAD;
      case "vetoed", "expired" -> Mood.BAD;
      default -> Mood.WAITING;
    };
  }

  private void tellAction(JsonNode action) {
    boolean ok = action.path("ok").booleanValue();
    String disposition = action.path("disposition").asText("unknown");
    screen.line(
        Kind.ACTION,
        ok ? Mood.GOOD : Mood.BAD,
        action,
        "%s %s  %s  %s  %s  receipt %s"
            .formatted(
                disposition,
                ok ? "ok" : disposition.equals("BLOCK") ? "refused" : "failed",
                action.path("tool").asText(),
                action.path("entity_key").asText(),
                action.path("id").asText(),
                action.path("receipt_id").asText()));
  }

  /** Returns the operator's name, or its identifier if the key may not read the operator. */
  private String operator(String id) throws IOException, InterruptedException {
    String known = operators.get(id);
    if (known != null) {
      return known;
    }
    String name;
    try {
      name = api.get("/v1/operators/" + id).path("name").asText(id);
    } catch (Api.Refused e) {
      name = id;
    }
    operators.put(id, name);
    return name;
  }
}
