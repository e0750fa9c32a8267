package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.analysis.RandomGuardrails;
import io.actiongovernance.policy.analysis.Target;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random guardrails with limits, approvals and times; changes of them, and actions for them. */
final class RandomPolicies {
  private static final List<JsonNode> DECISIONS = json("'ALLOW'", "'ALLOW'", "'ALERT'", "'BLOCK'");
  private static final List<JsonNode> TOOLS = json("'a.b'", "'a.*'", "'*.*'");
  private static final List<JsonNode> CONNECTORS =
      json("null", "'" + Given.CONNECTOR + "'", "'" + Given.OTHER_CONNECTOR + "'");
  private static final List<JsonNode> PERS =
      json("'entity'", "'tool'", "'connector'", "'operator'", "'tenant'");
  private static final List<JsonNode> WINDOWS = json("60", "3600");
  private static final List<JsonNode> CURRENCIES = json("'usd'", "'eur'");
  private static final List<JsonNode> ENTITIES = json("'e:*'", "'e:1'", "'f'");
  private static final List<JsonNode> TIMES =
      json(
          "{'zone':'Europe/Berlin','weekly':[{'days':['mon'],'from':'09:00','to':'17:00'}]}",
          "{'zone':'Europe/Berlin','weekly':[{'days':['mon','sat'],'from':'09:00','to':'17:00'}]}",
          "{'zone':'America/New_York','weekly':[{'days':['mon'],'from':'09:00','to':'17:00'}]}",
          "{'between':[{'from':'2026-11-23T00:00:00Z','until':'2026-11-23T09:00:00Z'}]}");
  private static final List<JsonNode> APPROVALS =
      json(
          "{'method':'key'}",
          "{'method':'session'}",
          "{'method':'session','all_of':[{'count':2}]}",
          "{'method':'passkey','all_of':[{'groups':['finance']}]}");
  private static final List<String> CONDITIONS =
      List.of("min_value", "max_value", "currency", "entity_key", "max_tier", "within", "args");

  /** On both sides of the bounds of the times. */
  private static final List<Instant> INSTANTS =
      Stream.of("23T07:59:59Z", "23T08:00:00Z", "23T16:00:00Z", "28T12:00:00Z", "29T12:00:00Z")
          .map(end -> Instant.parse("2026-11-" + end))
          .toList();

  private static final List<Target> TARGETS =
      List.of(
          new Target(Given.CONNECTOR, "a.b", 2, false, Binds.NONE, Json.object(), _ -> true),
          new Target(Given.CONNECTOR, "a.c", 0, true, Binds.NONE, Json.object(), _ -> true),
          new Target(Given.OTHER_CONNECTOR, "a.b", 3, false, Binds.NONE, Json.object(), _ -> true),
          new Target(Given.OTHER_CONNECTOR, "b.b", 1, false, Binds.NONE, Json.object(), _ -> true));

  private final Random random;
  private int names;

  RandomPolicies(Random random) {
    this.random = random;
  }

  private static List<JsonNode> json(String... each) {
    return Stream.of(each).map(text -> Json.read(text.replace('\'', '"'))).toList();
  }

  /** An action that may rest on an assertion. */
  Candidate action() {
    Candidate action = RandomGuardrails.action(random, pick(TARGETS));
    BigDecimal value = action.value();
    Facts facts =
        new Facts(
            value != null && random.nextInt(4) == 0 ? value.negate() : value,
            random.nextBoolean() ? pick(CURRENCIES).textValue() : null,
            action.entityKey(),
            random.nextInt(4) == 0 ? Set.of(pick(List.of(Assertion.values()))) : Set.of(),
            true);
    return new Candidate(
        action.connector(),
        action.tool(),
        action.tier(),
        action.read(),
        action.args(),
        facts,
        instant());
  }

  Instant instant() {
    return pick(INSTANTS);
  }

  Guardrails set() {
    return read(
        () -> {
          ArrayNode array = Json.object().arrayNode();
          for (int count = random.nextInt(4); count > 0; count--) {
            array.add(guardrail());
          }
          return array;
        });
  }

  private ObjectNode guardrail() {
    ObjectNode guardrail = Json.object().put("name", name());
    guardrail.set("decision", pick(DECISIONS));
    guardrail.put("priority", random.nextInt(2)).put("enabled", random.nextInt(8) > 0);
    guardrail.set("tool", pick(TOOLS));
    guardrail.set("connector", random.nextInt(4) == 0 ? pick(CONNECTORS) : null);
    ObjectNode conditions = guardrail.putObject("conditions");
    CONDITIONS.stream()
        .filter(_ -> random.nextInt(5) == 0)
        .forEach(each -> replace(conditions, each));
    for (int count = random.nextInt(6) - 3; count > 0; count--) {
      addLimit(guardrail);
    }
    guardrail.set("approval", pickOrNull(APPROVALS));
    return guardrail;
  }

  private void addLimit(ObjectNode guardrail) {
    ObjectNode limit = Json.object();
    limit.set("per", pick(PERS));
    limit.set("window_seconds", pick(WINDOWS));
    int kinds = 1 + random.nextInt(3);
    limit.set("max_actions", (kinds & 1) == 0 ? null : upTo(3));
    limit.set("max_value", (kinds & 2) == 0 ? null : upTo(4));
    guardrail.withArray("limits").add(limit);
  }

  /** The set changed only by what rules 1 to 3 name, or without effect. */
  Guardrails tightened(Guardrails set) {
    return read(
        () -> {
          ArrayNode array = set.json();
          for (JsonNode one : all(array)) {
            if (random.nextBoolean()) {
              tighten(array, (ObjectNode) one);
            }
          }
          if (random.nextInt(3) == 0) {
            array.add(guardrail().put("decision", "BLOCK"));
          }
          if (random.nextInt(3) == 0) {
            rewrite(array);
          }
          return array;
        });
  }

  private void tighten(ArrayNode array, ObjectNode guardrail) {
    boolean unlimited = is(guardrail, "ALLOW") && guardrail.path("limits").isEmpty();
    switch (random.nextInt(4)) {
      case 0 -> guardrail.put("decision", "BLOCK").put("priority", random.nextInt(2));
      case 1 -> {
        if (unlimited) {
          remove(array, guardrail);
        }
      }
      default -> {
        for (int count = random.nextInt(3); count > 0 && unlimited; count--) {
          narrow((ObjectNode) guardrail.get("conditions"));
        }
        guardrail.path("limits").forEach(limit -> lower((ObjectNode) limit));
        if (random.nextInt(3) == 0) {
          addLimit(guardrail);
        }
      }
    }
  }

  private void remove(ArrayNode array, ObjectNode guardrail) {
    guardrail.put("enabled", false);
    if (random.nextBoolean()) {
      array.remove(all(array).indexOf(guardrail));
    }
  }

  private void narrow(ObjectNode conditions) {
    BigDecimal least = decimal(conditions, "min_value");
    BigDecimal most = decimal(conditions, "max_value");
    BigDecimal some = half(random.nextInt(3));
    String name = pick(CONDITIONS);
    switch (name) {
      case "min_value" -> conditions.put(name, least == null ? some : least.add(some));
      case "max_value" -> conditions.put(name, most == null ? some : most.subtract(some));
      case "max_tier" -> conditions.set(name, upTo(conditions.path(name).asInt(3)));
      case "args" -> conditions.withArray(name).add(RandomGuardrails.condition(random));
      default -> {
        if (!conditions.hasNonNull(name)) {
          replace(conditions, name);
        }
      }
    }
  }

  private void lower(ObjectNode limit) {
    if (limit.hasNonNull("max_actions")) {
      limit.set("max_actions", upTo(limit.get("max_actions").asInt()));
    }
    BigDecimal most = decimal(limit, "max_value");
    if (most != null) {
      limit.put("max_value", most.subtract(half(random.nextInt(2))).max(BigDecimal.ZERO));
    }
  }

  /** Changes the order, notations of numbers, and what is disabled. */
  private void rewrite(ArrayNode array) {
    List<JsonNode> all = all(array);
    Collections.shuffle(all, random);
    array.removeAll().addAll(all);
    for (JsonNode one : all) {
      ObjectNode conditions = (ObjectNode) one.get("conditions");
      BigDecimal most = decimal(conditions, "max_value");
      if (most != null) {
        conditions.put("max_value", most.setScale(3).toPlainString());
      }
      if (!one.path("enabled").asBoolean()) {
        ((ObjectNode) one).set("decision", pick(DECISIONS));
      }
    }
    array.add(guardrail().put("enabled", false));
  }

  /** The set with a guardrail added, or one changed in one or two places in any way. */
  Guardrails edited(Guardrails set) {
    return read(
        () -> {
          ArrayNode array = set.json();
          if (array.isEmpty() || random.nextInt(15) == 0) {
            return array.add(guardrail());
          }
          ObjectNode guardrail = (ObjectNode) array.get(random.nextInt(array.size()));
          edit(array, guardrail);
          if (random.nextBoolean()) {
            edit(array, guardrail);
          }
          return array;
        });
  }

  private void edit(ArrayNode array, ObjectNode guardrail) {
    ObjectNode conditions = (ObjectNode) guardrail.get("conditions");
    List<Runnable> edits = new ArrayList<>();
    edits.add(() -> remove(array, guardrail));
    edits.add(() -> guardrail.put("name", name()));
    edits.add(() -> guardrail.put("enabled", !guardrail.path("enabled").asBoolean()));
    edits.add(() -> guardrail.set("decision", pick(DECISIONS)));
    edits.add(() -> guardrail.put("priority", random.nextInt(2)));
    edits.add(() -> guardrail.set("tool", pick(TOOLS)));
    edits.add(() -> guardrail.set("connector", pick(CONNECTORS)));
    edits.add(() -> guardrail.set("approval", pickOrNull(APPROVALS)));
    edits.add(() -> addLimit(guardrail));
    for (String name : CONDITIONS) {
      edits.add(() -> replace(conditions, name));
      if (conditions.hasNonNull(name)) {
        edits.add(() -> conditions.set(name, null));
      }
    }
    ArrayNode limits = guardrail.withArray("limits");
    for (int each = 0; each < limits.size(); each++) {
      int at = each;
      ObjectNode limit = (ObjectNode) limits.get(at);
      edits.add(() -> limits.remove(at));
      edits.add(() -> limit.set("per", pick(PERS)));
      edits.add(() -> limit.set("window_seconds", pick(WINDOWS)));
      edits.add(() -> limit.set("max_actions", random.nextInt(3) == 0 ? null : upTo(4)));
      edits.add(() -> limit.set("max_value", random.nextInt(3) == 0 ? null : upTo(6)));
    }
    pick(edits).run();
  }

  private void replace(ObjectNode conditions, String name) {
    switch (name) {
      case "min_value" -> conditions.put(name, random.nextInt(3) - 1);
      case "max_value", "max_tier" -> conditions.set(name, upTo(3));
      case "currency" -> conditions.set(name, pick(CURRENCIES));
      case "entity_key" -> conditions.set(name, pick(ENTITIES));
      case "within" -> conditions.set(name, pick(TIMES));
      default -> conditions.putArray(name).add(RandomGuardrails.condition(random));
    }
  }

  /** Makes sets until one is valid: no limit without bounds, no two that share a count. */
  private static Guardrails read(Supplier<ArrayNode> made) {
    while (true) {
      ArrayNode array = made.get();
      array.forEach(one -> removeUnfitApproval((ObjectNode) one));
      try {
        return Guardrails.of(array);
      } catch (IllegalArgumentException _) {
        // Makes another one.
      }
    }
  }

  private static void removeUnfitApproval(ObjectNode guardrail) {
    boolean limited = !guardrail.path("limits").isEmpty();
    if (!is(guardrail, "ALERT") && !(is(guardrail, "ALLOW") && limited)) {
      guardrail.remove("approval");
    }
  }

  private static boolean is(JsonNode guardrail, String decision) {
    return guardrail.path("decision").asText().equals(decision);
  }

  private static List<JsonNode> all(ArrayNode array) {
    List<JsonNode> all = new ArrayList<>();
    array.forEach(all::add);
    return all;
  }

  private static BigDecimal half(int halves) {
    return new BigDecimal(5 * halves).movePointLeft(1);
  }

  private static @Nullable BigDecimal decimal(ObjectNode from, String name) {
    return from.hasNonNull(name) ? new BigDecimal(from.get(name).asText()) : null;
  }

  private JsonNode upTo(int most) {
    return IntNode.valueOf(random.nextInt(most + 1));
  }

  private JsonNode pickOrNull(List<JsonNode> choices) {
    return random.nextInt(3) == 0 ? NullNode.instance : pick(choices);
  }

  private String name() {
    return "n" + names++;
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
