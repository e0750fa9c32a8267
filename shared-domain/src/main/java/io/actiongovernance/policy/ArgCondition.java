package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.json.Decimals;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Condition on one value in a JSON document: an action's {@code args}, or an event's payload for
 * the scripted proposer (contract, sections 3 and 4). Immutable.
 *
 * <p>{@code eq ne in not_in} compare JSON values of one type, and numbers by amount: {@code 1}
 * equals {@code 1.0} but not {@code "1"}. {@code lt lte gt gte} compare numbers; decimal strings
 * count as numbers. {@code prefix} compares strings. {@code exists} tests whether the value is
 * present (or, given {@code false}, absent), and can always be evaluated.
 *
 * @param path JSON Pointer (RFC 6901) into the document
 * @param operand value to compare with; for {@code exists}, whether the value must be present
 */
public record ArgCondition(JsonPointer path, Op op, JsonNode operand) {
  private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*+)*+");
  public static final int MAX_PATH = 500;
  private static final int MAX_TEXT = 2_000;
  private static final int MAX_CHOICES = 1_000;

  public enum Op {
    EQ,
    NE,
    LT,
    LTE,
    GT,
    GTE,
    IN,
    NOT_IN,
    PREFIX,
    EXISTS;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Op> parse(String text) {
      return Arrays.stream(values()).filter(op -> op.wire().equals(text)).findFirst();
    }
  }

  /** Reads {@code {"path","op","value"}} from a request and rejects unknown fields. */
  public static ArgCondition read(Fields fields) {
    String path = fields.text("path", 0, MAX_PATH);
    if (!POINTER.matcher(path).matches()) {
      throw Problem.invalid(
          fields.param("path"),
          fields.param("path") + " must be a JSON Pointer, such as /customer/id.");
    }
    Op op =
        fields.choice(
            "op", Op::parse, "one of eq, ne, lt, lte, gt, gte, in, not_in, prefix, exists");
    JsonNode operand = operand(fields, op);
    fields.done();
    return new ArgCondition(JsonPointer.compile(path), op, operand);
  }

  private static JsonNode operand(Fields fields, Op op) {
    String name = "value";
    return switch (op) {
      case EXISTS -> BooleanNode.valueOf(fields.flag(name, true));
      case EQ, NE -> fields.isNull(name) ? NullNode.instance : required(fields, fields.value(name));
      case LT, LTE, GT, GTE -> {
        JsonNode bound = required(fields, fields.value(name));
        Fields.decimal(fields.param(name), bound);
        yield bound;
      }
      case IN, NOT_IN -> required(fields, fields.arrayOrNull(name, 1, MAX_CHOICES));
      case PREFIX -> {
        fields.text(name, 1, MAX_TEXT);
        yield required(fields, fields.value(name));
      }
    };
  }

  private static JsonNode required(Fields fields, @Nullable JsonNode value) {
    if (value == null) {
      throw Problem.missing(fields.param("value"));
    }
    return value;
  }

  /** Returns whether the other condition tests the same, in whatever notation of its numbers. */
  boolean isSameAs(ArgCondition other) {
    return path.equals(other.path)
        && op == other.op
        && operand.equals(ArgCondition::compareLeaves, other.operand);
  }

  public Truth test(JsonNode root) {
    JsonNode found = root.at(path);
    if (op == Op.EXISTS) {
      return Truth.of(found.isMissingNode() != operand.booleanValue());
    }
    if (found.isMissingNode()) {
      return Truth.UNDECIDABLE;
    }
    return switch (op) {
      case EQ -> equal(found, operand);
      case NE -> not(equal(found, operand));
      case IN -> among(found);
      case NOT_IN -> not(among(found));
      case PREFIX ->
          found.isTextual()
              ? Truth.of(found.textValue().startsWith(operand.textValue()))
              : Truth.UNDECIDABLE;
      case LT, LTE, GT, GTE -> ordered(found);
      case EXISTS -> throw new AssertionError(op);
    };
  }

  private Truth ordered(JsonNode found) {
    int order;
    if (found.isIntegralNumber()
        && found.canConvertToLong()
        && operand.isIntegralNumber()
        && operand.canConvertToLong()) {
      order = Long.compare(found.longValue(), operand.longValue());
    } else {
      BigDecimal number = Decimals.parse(found).orElse(null);
      if (number == null) {
        return Truth.UNDECIDABLE;
      }
      order = number.compareTo(Decimals.parse(operand).orElseThrow());
    }
    return Truth.of(
        switch (op) {
          case LT -> order < 0;
          case LTE -> order <= 0;
          case GT -> order > 0;
          case GTE -> order >= 0;
          default -> throw new AssertionError(op);
        });
  }

  private Truth among(JsonNode found) {
    Truth truth = Truth.UNDECIDABLE;
    for (int at = 0; at < operand.size(); at++) {
      switch (equal(found, operand.get(at))) {
        case HOLDS -> {
          return Truth.HOLDS;
        }
        case FAILS -> truth = Truth.FAILS;
        case UNDECIDABLE -> {}
      }
    }
    return truth;
  }

  /** Values of different types cannot be compared, except that any value differs from null. */
  private static Truth equal(JsonNode found, JsonNode wanted) {
    if (found.getNodeType() != wanted.getNodeType()) {
      return wanted.isNull() ? Truth.FAILS : Truth.UNDECIDABLE;
    }
    return Truth.of(found.equals(ArgCondition::compareLeaves, wanted));
  }

  private static int compareLeaves(JsonNode one, JsonNode other) {
    if (one.isNumber() && other.isNumber()) {
      return one.isIntegralNumber()
              && one.canConvertToLong()
              && other.isIntegralNumber()
              && other.canConvertToLong()
          ? Long.compare(one.longValue(), other.longValue())
          : one.decimalValue().compareTo(other.decimalValue());
    }
    return one.equals(other) ? 0 : 1;
  }

  private static Truth not(Truth truth) {
    return switch (truth) {
      case HOLDS -> Truth.FAILS;
      case FAILS -> Truth.HOLDS;
      case UNDECIDABLE -> Truth.UNDECIDABLE;
    };
  }
}
