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
 * Sends one sandbox action through the whole service, by the public API alone, as any client would.
 * It sends an event, an operator proposes by a script, and it approves the plan; the action is
 * executed, and it reads the receipt. It creates the connector and the operator it needs, named
 * {@value #NAME}, if it does not find them. Not thread-safe.
 */
public final class Canary {
  /** The name of connector, operator, event source and approver. */
  public static final String NAME = "canary";

  private static final String EVENT_TYPE = "canary.flown";
  private static final String TOOL = "sandbox.payment.refund";

  /** Limit from the event to the receipt: a run of each minute must end within it. */
  private static final Duration LONGEST = Duration.ofSeconds(45);

  private static final Duration POLL = Duration.ofMillis(500);

  private final Api api;
  private final InstantSource clock;
  private final Sleeper sleeper;

  /** Cached identifier; null until it was found. */
  private @Nullable String operator;

  /** The public API, with a key of the canary's own tenant. */
  @FunctionalInterface
  public interface Api {
    /**
     * The body of a successful answer.
     *
     * @param body null for none
     * @throws Failed if the answer is not a success, or does not arrive
     */
    JsonNode send(String method, String path, @Nullable ObjectNode body);
  }

  /** An action was not governed from end to end; the message states how far it came. */
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
   * Has one action governed.
   *
   * @return the identifier of its receipt
   * @throws Failed if it was not, within 45 seconds
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
    // A new order each time: a refund of the same one would wait for the one before.
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
