package io.actiongovernance.policy.analysis;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Decimals;
import io.actiongovernance.policy.ArgCondition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Values that represent all others: for every value, some point here meets and fails exactly the
 * same given conditions.
 */
final class Points {
  private static final Pattern BEGINS_A_NUMBER = Pattern.compile("-?[0-9]*(\\.[0-9]*)?");
  private static final BigDecimal HALF = new BigDecimal("0.5");

  private Points() {}

  /**
   * Returns every bound, a number between each two neighbours, one number below all and one above
   * all.
   */
  static List<BigDecimal> numbers(Collection<BigDecimal> bounds) {
    TreeSet<BigDecimal> inOrder = new TreeSet<>(bounds); // by amount: 1.0 is 1
    if (inOrder.isEmpty()) {
      return List.of(BigDecimal.ONE);
    }
    List<BigDecimal> numbers = new ArrayList<>();
    numbers.add(inOrder.first().subtract(BigDecimal.ONE));
    BigDecimal last = null;
    for (BigDecimal bound : inOrder) {
      if (last != null) {
        numbers.add(last.add(bound).multiply(HALF).stripTrailingZeros());
      }
      numbers.add(bound);
      last = bound;
    }
    numbers.add(inOrder.last().add(BigDecimal.ONE));
    return numbers;
  }

  /**
   * Returns every text, each prefix with a new continuation, and a text that begins like none of
   * them.
   */
  static List<String> texts(Collection<String> exact, Collection<String> prefixes) {
    Set<String> known = new LinkedHashSet<>(exact);
    known.addAll(prefixes);
    Set<String> texts = new LinkedHashSet<>();
    texts.add(other("", known));
    texts.addAll(exact);
    for (String prefix : prefixes) {
      texts.add(other(prefix, known));
    }
    return List.copyOf(texts);
  }

  /** Returns the beginning plus a letter, such that no known text starts with the result. */
  private static String other(String beginning, Set<String> known) {
    String letters = "xyzabcdefghijklmnopqrstuvw";
    for (int at = 0; ; at++) {
      char letter = at < letters.length() ? letters.charAt(at) : (char) (0x4E00 + at);
      String text = beginning + letter;
      if (known.stream().noneMatch(one -> one.startsWith(text))) {
        return text;
      }
    }
  }

  /**
   * Values of an argument, with {@link MissingNode} for an absent argument.
   *
   * @param all whether every value is represented; false if a decimal string could also begin like
   *     a prefix
   */
  record Arguments(List<JsonNode> points, boolean all) {}

  static Arguments arguments(Collection<ArgCondition> conditions) {
    List<BigDecimal> bounds = new ArrayList<>();
    Set<String> texts = new LinkedHashSet<>();
    Set<String> prefixes = new LinkedHashSet<>();
    Set<JsonNode> points = new LinkedHashSet<>();
    boolean ordered = false;
    points.add(MissingNode.getInstance());
    for (ArgCondition condition : conditions) {
      JsonNode operand = condition.operand();
      switch (condition.op()) {
        case EQ, NE -> compared(operand, bounds, texts, points);
        case IN, NOT_IN -> operand.forEach(one -> compared(one, bounds, texts, points));
        case LT, LTE, GT, GTE -> {
          ordered = true;
          bounds.add(Decimals.parse(operand).orElseThrow());
        }
        case PREFIX -> prefixes.add(operand.textValue());
        case EXISTS -> {}
      }
    }
    List<BigDecimal> numbers = numbers(bounds);
    texts(texts, prefixes).forEach(text -> points.add(TextNode.valueOf(text)));
    numbers.forEach(number -> points.add(DecimalNode.valueOf(number)));
    if (ordered) {
      numbers.forEach(number -> spelled(number, texts, points));
    }
    points.add(NullNode.instance);
    points.add(BooleanNode.TRUE);
    points.add(BooleanNode.FALSE);
    ArrayNode array = JsonNodeFactory.instance.arrayNode().add("x");
    while (points.contains(array)) {
      array.add("x");
    }
    points.add(array);
    String name = "x";
    while (points.contains(JsonNodeFactory.instance.objectNode().put(name, "x"))) {
      name += "x";
    }
    points.add(JsonNodeFactory.instance.objectNode().put(name, "x"));
    boolean mixed =
        ordered && prefixes.stream().anyMatch(one -> BEGINS_A_NUMBER.matcher(one).matches());
    return new Arguments(List.copyOf(points), !mixed);
  }

  private static void compared(
      JsonNode operand, List<BigDecimal> bounds, Set<String> texts, Set<JsonNode> points) {
    switch (operand.getNodeType()) {
      case NUMBER -> bounds.add(operand.decimalValue());
      case STRING -> texts.add(operand.textValue());
      default -> points.add(operand);
    }
  }

  /** Adds the number as a decimal string whose spelling differs from each of the texts. */
  private static void spelled(BigDecimal number, Set<String> texts, Set<JsonNode> points) {
    String text = number.toPlainString();
    if (texts.contains(text)) {
      text += text.indexOf('.') < 0 ? ".0" : "0";
      while (texts.contains(text)) {
        text += "0";
      }
    }
    TextNode spelled = TextNode.valueOf(text);
    if (Decimals.parse(spelled).isPresent()) {
      points.add(spelled);
    }
  }
}
