package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.event.Event;
import io.actiongovernance.json.Decimals;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.ArgCondition;
import io.actiongovernance.policy.Glob;
import io.actiongovernance.policy.Truth;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans of a scripted model, in order (contract, section 4). Immutable, so long as nobody changes
 * the JSON it holds.
 */
public record Script(List<ScriptedPlan> plans) {
  public static final int MOST_PLANS = 100;
  public static final int MOST_CONDITIONS = 20;
  public static final int LONGEST_REASONING = 10_000;
  public static final int LONGEST_TEXT = 500;

  public Script {
    plans = List.copyOf(plans);
  }

  /**
   * One plan of a script.
   *
   * @param eventType exact or a glob; null for a scheduled run
   * @param when conditions on the event's payload
   * @param reasoning a template, or null
   */
  public record ScriptedPlan(
      @Nullable String eventType,
      List<ArgCondition> when,
      @Nullable String reasoning,
      List<ScriptedAction> actions) {
    public ScriptedPlan {
      when = List.copyOf(when);
      actions = List.copyOf(actions);
    }

    /**
     * Returns whether the plan is for the event, or for a scheduled run if there is no event. A
     * condition that cannot be evaluated does not hold.
     */
    boolean isFor(@Nullable Event event) {
      if (event == null) {
        return eventType == null && when.isEmpty();
      }
      return eventType != null
          && Glob.parse(eventType).matches(event.eventType())
          && when.stream().allMatch(one -> one.test(event.payload()) == Truth.HOLDS);
    }
  }

  /** One action of a scripted plan; every field is a template that may have placeholders. */
  public record ScriptedAction(
      String connector,
      String tool,
      @Nullable ObjectNode args,
      @Nullable JsonNode value,
      @Nullable String currency,
      @Nullable String entityKey,
      @Nullable String idempotencyKey) {}

  /** Returns the first plan for the event, or for a scheduled run if there is no event. */
  public Optional<ScriptedPlan> planFor(@Nullable Event event) {
    return plans.stream().filter(plan -> plan.isFor(event)).findFirst();
  }

  /** Reads {@code {"provider":"scripted","plans":[…]}} and rejects unknown fields. */
  public static Script read(Fields model) {
    model.knows("provider");
    List<Fields> plans = model.list("plans", 0, MOST_PLANS);
    model.done();
    return new Script(plans.stream().map(Script::plan).toList());
  }

  private static ScriptedPlan plan(Fields fields) {
    String eventType = fields.textOrNull("event_type", 1, Glob.MAX_LENGTH);
    if (eventType != null) {
      Triggers.requireEventType(fields.param("event_type"), eventType);
    }
    List<Fields> when = fields.listOrNull("when", 0, MOST_CONDITIONS);
    ScriptedPlan plan =
        new ScriptedPlan(
            eventType,
            when == null ? List.of() : when.stream().map(ArgCondition::read).toList(),
            fields.textOrNull("reasoning", 0, LONGEST_REASONING),
            fields.list("actions", 1, Action.MOST_OF_A_PLAN).stream().map(Script::action).toList());
    if (eventType == null && !plan.when().isEmpty()) {
      throw Problem.invalid(
          fields.param("when"),
          fields.param("when") + " needs an event_type: a scheduled run has no payload.");
    }
    fields.done();
    return plan;
  }

  private static ScriptedAction action(Fields fields) {
    JsonNode value = fields.value("value");
    if (value != null && Decimals.parse(value).isEmpty() && !isTemplate(value)) {
      throw Problem.invalid(
          fields.param("value"),
          fields.param("value") + " must be a number, a decimal string or a placeholder.");
    }
    ScriptedAction action =
        new ScriptedAction(
            fields.text("connector", 1, LONGEST_TEXT),
            fields.text("tool", 1, LONGEST_TEXT),
            fields.objectOrNull("args"),
            value,
            fields.nameOrNull("currency", 1, LONGEST_TEXT),
            fields.nameOrNull("entity_key", 1, LONGEST_TEXT),
            fields.nameOrNull("idempotency_key", 1, LONGEST_TEXT));
    fields.done();
    return action;
  }

  private static boolean isTemplate(JsonNode value) {
    return value.isTextual() && value.textValue().contains("{{");
  }
}
