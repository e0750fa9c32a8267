package io.actiongovernance.policy.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Guardrails;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Sets of guardrails and actions of a small world, in which much meets. */
public final class RandomGuardrails {
  private static final String[] DECISIONS = {"ALLOW", "ALERT", "BLOCK"};
  private static final String[] TOOLS = {"a.b", "a.*", "*.b", "*.*", "b.c.*", "b.b"};
  private static final String[] ENTITIES = {"*", "e:*", "e:1", "e:12*", "f"};
  private static final String[] PATHS = {"/x", "/y", "/y/z", "/currency"};
  private static final List<JsonNode> LEAVES =
      Stream.of(
              "1",
              "1.0",
              "2",
              "1.5",
              "\"1\"",
              "\"2.50\"",
              "\"a\"",
              "\"ab\"",
              "\"abc\"",
              "\"usd\"",
              "null",
              "true",
              "[1]",
              "{}",
              "{\"z\":1}",
              "[]")
          .map(Json::read)
          .toList();
  private static final String[] OPS = {
    "eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in", "prefix", "exists"
  };

  private RandomGuardrails() {}

  static Guardrails set(Random random) {
    ArrayNode array = Json.object().arrayNode();
    int count = random.nextInt(7);
    for (int at = 0; at < count; at++) {
      array.add(guardrail(random, "g" + at));
    }
    return Guardrails.of(array);
  }

  /** The set with one guardrail changed, dropped or added. */
  static Guardrails changed(Random random, Guardrails set) {
    ArrayNode array = set.json();
    if (array.isEmpty() || random.nextInt(3) == 0) {
      array.add(guardrail(random, "added"));
    } else if (random.nextBoolean()) {
      array.remove(random.nextInt(array.size()));
    } else {
      int at = random.nextInt(array.size());
      array.set(at, guardrail(random, array.get(at).path("name").asText()));
    }
    return Guardrails.of(array);
  }

  private static ObjectNode guardrail(Random random, String name) {
    ObjectNode guardrail =
        Json.object()
            .put("name", name)
            .put("decision", pick(random, DECISIONS))
            .put("priority", random.nextInt(3))
            .put("enabled", random.nextInt(8) > 0)
            .put("tool", pick(random, TOOLS));
    if (random.nextInt(6) == 0) {
      guardrail.put("connector", "cn_01jd000000000000000000000" + random.nextInt(2));
    }
    ObjectNode conditions = guardrail.putObject("conditions");
    if (random.nextInt(3) == 0) {
      conditions.put("min_value", random.nextInt(3));
    }
    if (random.nextInt(3) == 0) {
      conditions.put("max_value", random.nextInt(3));
    }
    if (random.nextInt(4) == 0) {
      conditions.put("entity_key", pick(random, ENTITIES));
    }
    if (random.nextInt(6) == 0) {
      conditions.put("currency", "usd");
    }
    if (random.nextInt(6) == 0) {
      conditions.put("max_tier", random.nextInt(4));
    }
    ArrayNode args = conditions.putArray("args");
    int count = random.nextInt(3);
    for (int at = 0; at < count; at++) {
      args.add(condition(random));
    }
    return guardrail;
  }

  public static ObjectNode condition(Random random) {
    String op = pick(random, OPS);
    ObjectNode condition = Json.object().put("path", pick(random, PATHS)).put("op", op);
    switch (op) {
      case "lt", "lte", "gt", "gte" -> condition.set("value", LEAVES.get(random.nextInt(6)));
      case "in", "not_in" -> condition.putArray("value").add(leaf(random)).add(leaf(random));
      case "prefix" -> condition.put("value", pick(random, new String[] {"a", "ab", "b", "1"}));
      case "exists" -> condition.put("value", random.nextBoolean());
      default -> condition.set("value", leaf(random));
    }
    return condition;
  }

  public static Candidate action(Random random, Target target) {
    ObjectNode args = Json.object();
    for (String name : new String[] {"x", "y", "currency"}) {
      if (random.nextInt(3) > 0) {
        args.set(name, leaf(random));
      }
    }
    BigDecimal value =
        random.nextInt(4) == 0 ? null : new BigDecimal(random.nextInt(7) * 5).movePointLeft(1);
    return new Candidate(
        target.connector(),
        target.tool(),
        target.tier(),
        args,
        value,
        new EntityKey(pick(random, new String[] {"e:1", "e:12", "e:", "f", "g"})),
        Instant.EPOCH);
  }

  private static JsonNode leaf(Random random) {
    return LEAVES.get(random.nextInt(LEAVES.size()));
  }

  private static String pick(Random random, String[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
