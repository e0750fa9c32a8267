package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bug planted into {@link Loosening}: a word of its rule that is dropped. It undoes what the word
 * forbids before the rule looks.
 */
enum LooseningMutant {
  A_NEW_ONE_NEED_NOT_BE_A_BLOCK((before, after) -> before == null ? null : after),
  IT_NEED_NOT_BECOME_A_BLOCK(both((before, after) -> copy(before, after, "decision", "approval"))),
  A_BLOCK_MAY_CHANGE_ITS_TOOL(block((before, after) -> copy(before, after, "tool"))),
  A_BLOCK_MAY_CHANGE_ITS_CONNECTOR(block((before, after) -> copy(before, after, "connector"))),
  A_BLOCK_MAY_CHANGE_ITS_CONDITIONS(block((before, after) -> copy(before, after, "conditions"))),
  A_BLOCK_IMPLIES_A_LEAST_VALUE(block(LooseningMutant::impliedLeastValue)),
  ONE_THAT_IS_GONE_NEED_NOT_BE_AN_ALLOW(gone(before -> !isLimited(before))),
  ONE_THAT_IS_GONE_MAY_HAVE_LIMITS(gone(before -> is(before, Decision.ALLOW))),
  A_NARROWER_ONE_NEED_NOT_BE_AN_ALLOW(
      alike(
          (before, after) -> {
            if (!is(before, Decision.ALLOW) && narrows(before, after)) {
              copy(before, after, "conditions");
            }
          })),
  A_NARROWER_ONE_MAY_HAVE_LIMITS(
      allow(
          (before, after) -> {
            if (isLimited(before) && narrows(before, after)) {
              copy(before, after, "conditions");
            }
          })),
  ANOTHER_CURRENCY_IS_NARROWER(condition("currency")),
  ANOTHER_ENTITY_IS_NARROWER(condition("entity_key")),
  OTHER_TIMES_ARE_NARROWER(condition("within")),
  OTHER_ARGUMENTS_ARE_NARROWER(condition("args")),
  ANOTHER_GREATEST_VALUE_IS_NARROWER(condition("max_value")),
  ANOTHER_TIER_IS_NARROWER(condition("max_tier")),
  ANOTHER_LEAST_VALUE_IS_NARROWER(condition("min_value")),
  AN_ALLOW_IMPLIES_NO_LEAST_VALUE(allow(LooseningMutant::impliedLeastValue)),
  LIMITS_MAY_GO(alike(LooseningMutant::returnLimits)),
  THE_MOST_ACTIONS_MAY_RISE(limits((before, after) -> number(before, after, "max_actions"))),
  THE_GREATEST_SUM_MAY_RISE(limits((before, after) -> number(before, after, "max_value"))),
  A_LIMIT_MAY_BE_PER_ANOTHER(limits((before, after) -> copy(before, after, "per"))),
  A_LIMIT_MAY_HAVE_ANOTHER_WINDOW(limits((before, after) -> copy(before, after, "window_seconds"))),
  A_LIMIT_MAY_HAVE_OTHER_BOUNDS(limits(LooseningMutant::kinds)),
  THE_PRIORITY_MAY_CHANGE(alike((before, after) -> copy(before, after, "priority"))),
  THE_TOOL_MAY_CHANGE(alike((before, after) -> copy(before, after, "tool"))),
  THE_CONNECTOR_MAY_CHANGE(alike((before, after) -> copy(before, after, "connector"))),
  THE_APPROVAL_MAY_CHANGE(alike((before, after) -> copy(before, after, "approval"))),
  THE_NAME_MAY_CHANGE((_, after) -> after) {
    @Override
    void forgive(Map<String, ObjectNode> before, Map<String, ObjectNode> after) {
      before.forEach(
          (name, one) ->
              after.values().stream()
                  .filter(other -> !after.containsKey(name))
                  .filter(other -> !before.containsKey(other.path("name").asText()))
                  .filter(other -> other.deepCopy().put("name", name).equals(one))
                  .forEach(other -> other.put("name", name)));
    }
  },
  A_DISABLED_ONE_COUNTS((_, after) -> after) {
    @Override
    void forgive(Map<String, ObjectNode> before, Map<String, ObjectNode> after) {
      before.forEach(
          (name, one) -> after.computeIfPresent(name, (_, other) -> copy(one, other, "enabled")));
    }
  };

  private interface Forgiving {
    @Nullable ObjectNode of(@Nullable ObjectNode before, @Nullable ObjectNode after);
  }

  private final Forgiving forgiving;

  LooseningMutant(Forgiving forgiving) {
    this.forgiving = forgiving;
  }

  /** Returns the later set with what the mutant does not see undone. */
  Guardrails forgive(Guardrails before, Guardrails after) {
    Map<String, ObjectNode> forgiven = byName(after);
    forgive(byName(before), forgiven);
    ArrayNode array = Json.object().arrayNode().addAll(forgiven.values());
    try {
      return Guardrails.of(array);
    } catch (IllegalArgumentException _) {
      // It would take more than this mutant to accept the change.
      return after;
    }
  }

  void forgive(Map<String, ObjectNode> before, Map<String, ObjectNode> after) {
    before.values().removeIf(one -> !one.path("enabled").asBoolean());
    after.values().removeIf(one -> !one.path("enabled").asBoolean());
    TreeSet<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      after.compute(name, (_, other) -> forgiving.of(before.get(name), other));
    }
  }

  private static Map<String, ObjectNode> byName(Guardrails set) {
    Map<String, ObjectNode> byName = new LinkedHashMap<>();
    set.json().forEach(one -> byName.put(one.path("name").asText(), (ObjectNode) one));
    return byName;
  }

  private static Forgiving gone(Predicate<ObjectNode> returns) {
    return (before, after) ->
        before != null && after == null && returns.test(before) ? before : after;
  }

  private static Forgiving both(BiConsumer<ObjectNode, ObjectNode> change) {
    return (before, after) -> {
      if (before != null && after != null) {
        change.accept(before, after);
      }
      return after;
    };
  }

  private static Forgiving block(BiConsumer<ObjectNode, ObjectNode> change) {
    return both(
        (before, after) -> {
          if (is(after, Decision.BLOCK)) {
            change.accept(before, after);
          }
        });
  }

  /** Both ALLOW, or both ALERT. */
  private static Forgiving alike(BiConsumer<ObjectNode, ObjectNode> change) {
    return both(
        (before, after) -> {
          boolean same = before.path("decision").equals(after.path("decision"));
          if (same && !is(after, Decision.BLOCK)) {
            change.accept(before, after);
          }
        });
  }

  private static Forgiving allow(BiConsumer<ObjectNode, ObjectNode> change) {
    return alike(
        (before, after) -> {
          if (is(after, Decision.ALLOW)) {
            change.accept(before, after);
          }
        });
  }

  private static Forgiving condition(String name) {
    return allow(
        (before, after) ->
            copy(
                (ObjectNode) before.get("conditions"), (ObjectNode) after.get("conditions"), name));
  }

  private static Forgiving limits(BiConsumer<ObjectNode, ObjectNode> change) {
    return alike(
        (before, after) -> {
          JsonNode ones = before.path("limits");
          JsonNode others = after.path("limits");
          for (int at = 0; at < Math.min(ones.size(), others.size()); at++) {
            change.accept((ObjectNode) ones.get(at), (ObjectNode) others.get(at));
          }
        });
  }

  private static void number(ObjectNode before, ObjectNode after, String bound) {
    if (before.hasNonNull(bound) && after.hasNonNull(bound)) {
      copy(before, after, bound);
    }
  }

  private static void kinds(ObjectNode before, ObjectNode after) {
    for (String bound : new String[] {"max_actions", "max_value"}) {
      if (before.hasNonNull(bound) != after.hasNonNull(bound)) {
        copy(before, after, bound);
      }
    }
  }

  private static void returnLimits(ObjectNode before, ObjectNode after) {
    ArrayNode limits = after.withArray("limits");
    for (JsonNode limit : before.path("limits")) {
      boolean there = false;
      for (JsonNode other : limits) {
        there |= shape(limit).equals(shape(other));
      }
      if (!there) {
        limits.add(limit.deepCopy());
      }
    }
  }

  private static String shape(JsonNode limit) {
    return limit.path("per").asText()
        + limit.path("window_seconds").asText()
        + limit.hasNonNull("max_actions")
        + limit.hasNonNull("max_value");
  }

  /** An ALLOW is compared as it is written, or the others as if they implied a least value. */
  private static void impliedLeastValue(ObjectNode before, ObjectNode after) {
    JsonNode from = before.path("conditions");
    ObjectNode to = (ObjectNode) after.get("conditions");
    boolean open = from.hasNonNull("max_value") && !from.hasNonNull("min_value");
    boolean allow = is(after, Decision.ALLOW);
    boolean other = !is(before, Decision.ALLOW) && to.path("min_value").asInt(-1) == 0;
    if (open && (allow || other)) {
      to.putNull("min_value");
    }
  }

  private static boolean narrows(ObjectNode before, ObjectNode after) {
    return conditions(after).narrows(conditions(before));
  }

  private static Conditions conditions(ObjectNode guardrail) {
    return Guardrails.of(Json.object().arrayNode().add(guardrail.deepCopy()))
        .list()
        .getFirst()
        .conditions();
  }

  private static boolean is(ObjectNode guardrail, Decision decision) {
    return guardrail.path("decision").asText().equals(decision.name());
  }

  private static boolean isLimited(ObjectNode guardrail) {
    return !guardrail.path("limits").isEmpty();
  }

  private static ObjectNode copy(ObjectNode from, ObjectNode to, String... names) {
    for (String name : names) {
      if (from.has(name)) {
        to.set(name, from.get(name).deepCopy());
      } else {
        to.remove(name);
      }
    }
    return to;
  }
}
