package io.actiongovernance.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Explanation.Condition;
import io.actiongovernance.policy.Explanation.Considered;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Explains guardrails for one action. It has the evaluator test each condition alone and tests
 * nothing itself, so that no explanation can contradict the verdict. Not thread-safe.
 */
final class Explainer {
  /**
   * Most bytes that an argument is shown in, as JSON; what is shown of a longer one ends in an
   * ellipsis. So the explanation of an action fits in an answer, whatever was proposed.
   */
  static final int MOST_SHOWN = 200;

  private final Candidate candidate;
  private final Map<String, JsonNode> sent = new HashMap<>();

  /** Shown arguments: one may have 256 KB, and many comparisons may be about it. */
  private final Map<JsonPointer, JsonNode> arguments = new HashMap<>();

  /**
   * @param guardrails as they were sent
   */
  Explainer(Candidate candidate, ArrayNode guardrails) {
    this.candidate = candidate;
    guardrails.forEach(one -> sent.put(one.path("name").asText(), one));
  }

  /**
   * Explains a guardrail whose tool matches.
   *
   * @param matched whether the evaluator finds that it matches
   */
  Considered consider(Guardrail guardrail, boolean matched) {
    List<Condition> conditions = new ArrayList<>();
    for (ConditionName on : ConditionName.values()) {
      if (on == ConditionName.ARGS) {
        guardrail.conditions().args().forEach(one -> conditions.add(comparison(one)));
        continue;
      }
      JsonNode asked = asked(on, guardrail);
      if (!asked.isNull()) {
        conditions.add(
            new Condition(on, asked, got(on, guardrail), test(on, guardrail), isClaimed(on)));
      }
    }
    return new Considered(guardrail.name(), guardrail.decision(), matched, conditions);
  }

  /** Returns what the guardrail states in this field, as it was sent; JSON null if nothing. */
  private JsonNode asked(ConditionName on, Guardrail guardrail) {
    JsonNode all = sent.getOrDefault(guardrail.name(), MissingNode.getInstance());
    JsonNode of = on == ConditionName.CONNECTOR ? all : all.path("conditions");
    if (of.hasNonNull(on.wire())) {
      return of.path(on.wire());
    }
    // An ALLOW with a greatest value alone implies a least one.
    return on == ConditionName.MIN_VALUE
        ? number(guardrail.conditions().minValue())
        : NullNode.getInstance();
  }

  private Truth test(ConditionName on, Guardrail guardrail) {
    return on == ConditionName.CONNECTOR
        ? Truth.of(guardrail.covers(candidate.connector()))
        : guardrail.conditions().only(on).test(candidate);
  }

  private JsonNode got(ConditionName on, Guardrail guardrail) {
    Within within = guardrail.conditions().within();
    return switch (on) {
      case CONNECTOR -> text(candidate.connector().value());
      case MIN_VALUE, MAX_VALUE -> number(candidate.value());
      case CURRENCY -> shown(text(candidate.currency()));
      case ENTITY_KEY -> text(candidate.entityKey().value());
      case MAX_TIER -> IntNode.valueOf(candidate.tier());
      case WITHIN -> within == null ? NullNode.getInstance() : within.local(candidate.at());
      case ARGS -> throw new AssertionError(on);
    };
  }

  private boolean isClaimed(ConditionName on) {
    Facts facts = candidate.facts();
    return switch (on) {
      case MIN_VALUE, MAX_VALUE -> facts.asserts(Assertion.VALUE);
      case CURRENCY -> facts.asserts(Assertion.CURRENCY);
      case ENTITY_KEY -> facts.asserts(Assertion.ENTITY_KEY);
      case CONNECTOR, MAX_TIER, ARGS, WITHIN -> false;
    };
  }

  private Condition comparison(ArgCondition comparison) {
    ObjectNode asked =
        Json.object().put("path", comparison.path().toString()).put("op", comparison.op().wire());
    asked.set("value", shown(comparison.operand()));
    JsonNode argument = candidate.args().at(comparison.path());
    JsonNode got =
        comparison.op() == ArgCondition.Op.EXISTS
            ? BooleanNode.valueOf(!argument.isMissingNode())
            : arguments.computeIfAbsent(comparison.path(), _ -> shown(argument));
    return new Condition(ConditionName.ARGS, asked, got, comparison.test(candidate.args()), false);
  }

  /** Returns the value, or a text of its beginning if it is long; JSON null if there is none. */
  private static JsonNode shown(JsonNode value) {
    if (value.isMissingNode()) {
      return NullNode.getInstance();
    }
    boolean isLongText = value.isTextual() && value.textValue().length() > MOST_SHOWN;
    if (!isLongText && written(value) <= MOST_SHOWN) {
      return value;
    }
    String text = value.isTextual() ? value.textValue() : Json.write(value);
    int end = Math.min(text.length(), MOST_SHOWN);
    JsonNode shown = beginning(text, end);
    for (int length = written(shown); length > MOST_SHOWN; length = written(shown)) {
      end = end * MOST_SHOWN / length;
      shown = beginning(text, end);
    }
    return shown;
  }

  private static JsonNode beginning(String text, int end) {
    boolean cutsInHalf = end > 0 && Character.isHighSurrogate(text.charAt(end - 1));
    return text(text.substring(0, cutsInHalf ? end - 1 : end) + "…");
  }

  private static int written(JsonNode value) {
    return Json.write(value).getBytes(UTF_8).length;
  }

  private static JsonNode number(@Nullable BigDecimal value) {
    return value == null ? NullNode.getInstance() : DecimalNode.valueOf(value);
  }

  private static JsonNode text(@Nullable String value) {
    return value == null ? NullNode.getInstance() : TextNode.valueOf(value);
  }
}
