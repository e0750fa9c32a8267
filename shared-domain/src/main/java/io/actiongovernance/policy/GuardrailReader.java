package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and validates one guardrail from a request, and returns its published form. */
final class GuardrailReader {
  private GuardrailReader() {}

  static Guardrail read(Fields fields) {
    Guardrail guardrail =
        new Guardrail(
            fields.name("name", 1, Guardrail.MAX_NAME),
            fields.choice("decision", GuardrailReader::decision, "ALLOW, ALERT or BLOCK"),
            priority(fields),
            fields.flag("enabled", true),
            tool(fields),
            connector(fields),
            conditions(fields.fieldsOrNull("conditions")),
            limits(fields.listOrNull("limits", 0, Guardrail.MAX_LIMITS)),
            ApprovalPolicy.readOrNull(fields, "approval"));
    boolean holds =
        guardrail.decision() == Decision.ALERT
            || (guardrail.decision() == Decision.ALLOW && !guardrail.limits().isEmpty());
    if (guardrail.approval() != null && !holds) {
      throw Problem.invalid(
          fields.param("approval"),
          fields.param("approval") + " is only for an ALERT, or for an ALLOW with limits.");
    }
    fields.done();
    return guardrail;
  }

  private static Optional<Decision> decision(String text) {
    return Arrays.stream(Decision.values()).filter(one -> one.name().equals(text)).findFirst();
  }

  private static int priority(Fields fields) {
    Long priority = fields.wholeOrNull("priority", -Guardrail.MAX_PRIORITY, Guardrail.MAX_PRIORITY);
    return priority == null ? Guardrail.DEFAULT_PRIORITY : priority.intValue();
  }

  private static String tool(Fields fields) {
    String tool = fields.text("tool", 1, Glob.MAX_LENGTH);
    if (!Glob.isValid(tool)) {
      throw Problem.invalid(
          fields.param("tool"),
          fields.param("tool") + " must be a tool's name, or a glob with * for whole segments.");
    }
    return tool;
  }

  private static @Nullable String connector(Fields fields) {
    ConnectorId connector =
        fields.choiceOrNull("connector", ConnectorId::parse, "a connector's id, or null for any");
    return connector == null ? null : connector.value();
  }

  private static Conditions conditions(@Nullable Fields fields) {
    if (fields == null) {
      return Conditions.none();
    }
    Long maxTier = fields.wholeOrNull("max_tier", 0, Conditions.MAX_TIER);
    List<Fields> args = fields.listOrNull("args", 0, Conditions.MAX_ARGS);
    Fields within = fields.fieldsOrNull("within");
    Conditions conditions =
        new Conditions(
            fields.decimalOrNull("min_value"),
            fields.decimalOrNull("max_value"),
            fields.nameOrNull("currency", 1, Conditions.MAX_CURRENCY),
            entityKey(fields),
            maxTier == null ? null : maxTier.intValue(),
            args == null ? List.of() : args.stream().map(ArgCondition::read).toList(),
            within == null ? null : Within.read(within));
    fields.done();
    return conditions;
  }

  private static @Nullable String entityKey(Fields fields) {
    String key = fields.textOrNull("entity_key", 1, Conditions.MAX_ENTITY_KEY);
    if (key != null && key.substring(0, key.length() - 1).indexOf('*') >= 0) {
      throw Problem.invalid(
          fields.param("entity_key"), fields.param("entity_key") + " may have * only at its end.");
    }
    return key;
  }

  private static List<Limit> limits(@Nullable List<Fields> fields) {
    List<Limit> limits = new ArrayList<>();
    Set<String> shapes = new HashSet<>();
    for (Fields one : fields == null ? List.<Fields>of() : fields) {
      Limit limit = limit(one);
      if (!shapes.add(limit.shape())) {
        // Both limits would share one count, and each action would count twice.
        throw Problem.invalid(
            one.param("window_seconds"),
            one.param("window_seconds")
                + " must not equal that of another limit with the same per and kinds of bounds.");
      }
      limits.add(limit);
    }
    return limits;
  }

  private static Limit limit(Fields fields) {
    Per per = fields.choice("per", Per::parse, "one of entity, tool, connector, operator, tenant");
    long window = fields.whole("window_seconds", 1, Limit.MAX_WINDOW_SECONDS);
    Long maxActions = fields.wholeOrNull("max_actions", 0, Limit.MAX_ACTIONS);
    BigDecimal maxValue = fields.decimalOrNull("max_value");
    if (maxValue != null && !Amounts.canBeSummed(maxValue)) {
      throw Problem.invalid(
          fields.param("max_value"),
          fields.param("max_value")
              + " must be 0 or more, with at most 20 digits before and 18 after the point.");
    }
    if (maxActions == null && maxValue == null) {
      throw Problem.missing(fields.param("max_actions"));
    }
    fields.done();
    return new Limit(per, window, maxActions, maxValue);
  }

  /**
   * Returns a guardrail as sent, with every omitted field filled in except its approval and its
   * {@code within}. Each number keeps its type, text or number.
   */
  static ObjectNode wire(JsonNode sent, Guardrail guardrail) {
    ObjectNode wire = Json.object();
    copy(sent, wire, "name", "decision");
    wire.put("priority", sent.path("priority").asInt(Guardrail.DEFAULT_PRIORITY));
    wire.put("enabled", sent.path("enabled").asBoolean(true));
    copy(sent, wire, "tool", "connector");
    JsonNode conditions = sent.path("conditions");
    ObjectNode written = wire.putObject("conditions");
    copy(conditions, written, "min_value", "max_value", "currency", "entity_key", "max_tier");
    var args = written.putArray("args");
    for (JsonNode arg : conditions.path("args")) {
      ObjectNode one = args.addObject();
      copy(arg, one, "path", "op", "value");
      if (ArgCondition.Op.EXISTS.wire().equals(arg.path("op").textValue())
          && one.get("value").isNull()) {
        one.put("value", true);
      }
    }
    if (guardrail.conditions().within() != null) {
      JsonNode within = conditions.path("within");
      ObjectNode times = written.putObject("within");
      copy(within, times, "zone");
      times.set("weekly", list(within, "weekly"));
      times.set("between", list(within, "between"));
    }
    var limits = wire.putArray("limits");
    for (JsonNode limit : sent.path("limits")) {
      copy(limit, limits.addObject(), "per", "window_seconds", "max_actions", "max_value");
    }
    ApprovalPolicy approval = guardrail.approval();
    if (approval != null) {
      wire.set("approval", approval.wire());
    }
    return wire;
  }

  private static JsonNode list(JsonNode from, String name) {
    return from.hasNonNull(name) ? from.get(name).deepCopy() : Json.object().arrayNode();
  }

  private static void copy(JsonNode from, ObjectNode to, String... names) {
    for (String name : names) {
      to.set(name, from.hasNonNull(name) ? from.get(name).deepCopy() : to.nullNode());
    }
  }
}
