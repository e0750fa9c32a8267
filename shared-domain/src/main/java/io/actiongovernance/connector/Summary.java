package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Template;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One-line description of an action for people. The service makes it from the arguments alone,
 * never from the proposer's words (contract, section 3). No argument can be mistaken for the
 * service's own words: an argument is short, shows invisible characters, and is quoted unless it is
 * a plain name or number.
 */
public final class Summary {
  public static final int LONGEST = 200;

  private static final int LONGEST_VALUE = 60;
  private static final String NOTHING = "(none)";
  private static final Pattern CODE = Pattern.compile("[A-Za-z]{3}");
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._:@/+-]+");

  private Summary() {}

  /** Returns the summary of a call of the tool with these arguments. */
  public static String of(Tool tool, JsonNode args) {
    String template = tool.summary();
    return cut(template == null ? listed(tool, args) : filled(template, args), LONGEST);
  }

  /**
   * Returns the summary for readers who may not see the arguments, in the words of the tool's
   * owner. A summary that only lists the arguments is reduced to the tool.
   */
  public static String worded(String tool, String summary) {
    return summary.startsWith(tool + " ") ? tool : summary;
  }

  private static String filled(String template, JsonNode args) {
    Function<String, JsonNode> values = Placeholders.lookup(Map.of("args", args));
    try {
      return Template.text(
          template, name -> TextNode.valueOf(shown(values.apply(name))), UnaryOperator.identity());
    } catch (Template.Unresolved e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Lists the tool, then its arguments: those in the schema first, in its order, then the others by
   * name.
   */
  private static String listed(Tool tool, JsonNode args) {
    Map<String, JsonNode> ordered = new LinkedHashMap<>();
    tool.inputSchema()
        .json()
        .path("properties")
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (args.has(name)) {
                ordered.put(name, args.get(name));
              }
            });
    Map<String, JsonNode> others = new TreeMap<>();
    args.properties().forEach(arg -> others.put(arg.getKey(), arg.getValue()));
    others.forEach(ordered::putIfAbsent);
    StringJoiner summary = new StringJoiner(" ");
    summary.add(tool.name());
    ordered.forEach((name, value) -> summary.add(text(name) + "=" + shown(value)));
    return summary.toString();
  }

  private static String shown(@Nullable JsonNode value) {
    if (value == null || value.isMissingNode() || value.isNull()) {
      return NOTHING;
    }
    if (value.isTextual()) {
      return text(value.textValue());
    }
    return escaped(
        cut(value.isNumber() ? Json.plain(value.decimalValue()) : Json.write(value), LONGEST_VALUE),
        false);
  }

  private static String text(String text) {
    String cut = cut(text, LONGEST_VALUE);
    return PLAIN.matcher(cut).matches() ? cut : quoted(cut);
  }

  /** Returns a currency to show beside an amount, quoted unless it is a code of three letters. */
  public static String currency(String currency) {
    return CODE.matcher(currency).matches() ? currency : quoted(cut(currency, LONGEST_VALUE));
  }

  private static String quoted(String text) {
    return '"' + escaped(text, true) + '"';
  }

  private static String escaped(String text, boolean quoted) {
    return Invisible.named(
        text,
        point ->
            quoted && (point == '"' || point == '\\')
                ? "\\" + Character.toString(point)
                : Character.toString(point));
  }

  private static String cut(String text, int most) {
    if (text.codePointCount(0, text.length()) <= most) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, most - 1)) + "…";
  }
}
