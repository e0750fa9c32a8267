package io.actiongovernance.functions.canary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends one sandbox action through the whole service, only over the public API, as any client
 * would. The canary sends an event, for which an operator proposes by a script. It approves the
 * plan, waits for the action's execution, and reads the receipt. It creates the connector and the
 * operator that it needs, named {@value #NAME}, if it does not find them. Not thread-safe.
 */
public final class Canary {
  /** The name of connector, operator, event source and approver. */
  public static final String NAME = "canary";

  private static final String EVENT_TYPE = "canary.flown";
  private static final String TOOL = "sandbox.payment.refund";

  /**
   * Time limit from the event to the receipt: the canary runs every minute, and each run must end
   * before the next.
   */
  private static final Duration LONGEST = Duration.ofSeconds(45);

  private static final Duration POLL = Duration.ofMillis(500);

  private final Api api;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /** The cached identifier of the operator; null until it is found. */
  private @Nullable String operator;

  /** The public API, with a key of the canary's own tenant. */
  @FunctionalInterface
  public interface Api {
    /**
     * Returns the body of a successful response.
     *
     * @param body null for none
     * @throws Failed if the response is not a success or does not arrive
     */
    JsonNode send(String method, String path, @Nullable ObjectNode body);
  }

  /**
   * Thrown if an action was not governed from end to end. The message names the last step that it
   * reached.
   */
  public static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Failed(String message) {
      super(message);
    }
  }

  public Canary(Api api, InstantSource clock, Sleeper sleeper) {
    this.api = api;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /**
   * Sends one action through the service.
   *
   * @return the identifier of its receipt
   * @throws Failed if the action was not governed within 45 seconds
   */
  public String fly() {
    Instant until = clock.instant().plus(LONGEST);
    if (operator == null) {
      operator = operator();
    }
    String event = event();
    String plan = plan(event, until);
    JsonNode approved =
        api.send("POST", "/v1/plans/" + plan + "/approve", Json.object().put("approver", NAME));
    require("executed".equals(approved.path("status").asText()), plan, "was not executed");
    JsonNode result = approved.path("results").path(0);
    require(result.path("ok").asBoolean(), plan, "did not apply its action");
    JsonNode receipt = api.send("GET", "/v1/receipts/" + result.path("receipt_id").asText(), null);
    require(
        "applied".equals(receipt.path("outcome").asText()),
        plan,
        "has no receipt of an applied action");
    return receipt.path("id").asText();
  }

  private static void require(boolean so, String plan, String otherwise) {
    if (!so) {
      throw new Failed("The plan %s %s.".formatted(plan, otherwise));
    }
  }

  private String event() {
    ObjectNode event = Json.object().put("source", NAME).put("event_type", EVENT_TYPE);
    // A new order for each run: a refund of the same order would wait for the earlier refund.
    event.putObject("payload").put("order", NAME + "-" + clock.instant().toEpochMilli());
    return api.send("POST", "/v1/events", event).path("id").asText();
  }

  private String plan(String event, Instant until) {
    while (true) {
      JsonNode plans = api.send("GET", "/v1/plans?limit=1&event_id=" + event, null).path("data");
      if (!plans.isEmpty()) {
        return plans.path(0).path("id").asText();
      }
      if (!clock.instant().plus(POLL).isBefore(until)) {
        throw new Failed("Nothing was proposed for the event %s.".formatted(event));
      }
      sleeper.sleep(POLL);
    }
  }

  private String operator() {
    Optional<String> known = named("/v1/operators");
    if (known.isPresent()) {
      return known.get();
    }
    String connector = named("/v1/connectors").orElseGet(this::connector);
    ObjectNode made = Json.object().put("name", NAME);
    made.putObject("triggers").putArray("event_types").add(EVENT_TYPE);
    made.putArray("guardrails")
        .addObject()
        .put("name", "held")
        .put("decision", "ALERT")
        .put("tool", TOOL);
    ObjectNode model = made.putObject("model").put("provider", "scripted");
    ObjectNode plan = model.putArray("plans").addObject().put("event_type", EVENT_TYPE);
    plan.put("reasoning", "To see whether it works.");
    ObjectNode action = plan.putArray("actions").addObject();
    action.put("connector", connector).put("tool", TOOL);
    action.putObject("args").put("order", "{{payload.order}}").put("amount", "1");
    return api.send("POST", "/v1/operators", made).path("id").asText();
  }

  private String connector() {
    ObjectNode made = Json.object().put("listing_id", "cn-sandbox").put("name", NAME);
    return api.send("POST", "/v1/connectors", made).path("id").asText();
  }

  /** The identifier of the object named {@value #NAME}, if there is one. */
  private Optional<String> named(String list) {
    JsonNode found = api.send("GET", list + "?limit=100", null).path("data");
    return StreamSupport.stream(found.spliterator(), false)
        .filter(one -> one.path("name").asText().equals(NAME))
        .map(one -> one.path("id").asText())
        .findFirst();
  }
}
