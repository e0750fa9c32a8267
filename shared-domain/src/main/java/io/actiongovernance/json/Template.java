package io.actiongovernance.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills in {@code {{name}}} placeholders. If a string consists of one placeholder, it takes the
 * JSON type of the named value. Within a longer string, a text is inserted unchanged, and any other
 * value as its JSON (contract, sections 4 and 5).
 */
public final class Template {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{\\s*([^{}]+?)\\s*}}");

  private Template() {}

  /** A placeholder names nothing. */
  public static final class Unresolved extends Exception {
    private final String name;

    Unresolved(String name) {
      super("The placeholder {{" + name + "}} has no value.");
      this.name = name;
    }

    public String name() {
      return name;
    }
  }

  /**
   * Returns the template with every placeholder filled in.
   *
   * @param values maps a placeholder's name to its value, or to a missing node if it names nothing
   */
  public static JsonNode fill(JsonNode template, Function<String, JsonNode> values)
      throws Unresolved {
    return switch (template) {
      case ObjectNode object -> {
        ObjectNode filled = Json.object();
        for (var field : object.properties()) {
          filled.set(field.getKey(), fill(field.getValue(), values));
        }
        yield filled;
      }
      case ArrayNode array -> {
        ArrayNode filled = array.arrayNode();
        for (JsonNode element : array) {
          filled.add(fill(element, values));
        }
        yield filled;
      }
      case TextNode text -> {
        Matcher matcher = PLACEHOLDER.matcher(text.textValue());
        yield matcher.matches()
            ? resolve(matcher.group(1), values)
            : TextNode.valueOf(text(text.textValue(), values, UnaryOperator.identity()));
      }
      default -> template;
    };
  }

  /**
   * Returns a text with every placeholder filled in.
   *
   * @param encode applied to each inserted value, for example percent-encoding for a path
   */
  public static String text(
      String template, Function<String, JsonNode> values, UnaryOperator<String> encode)
      throws Unresolved {
    Matcher matcher = PLACEHOLDER.matcher(template);
    StringBuilder filled = new StringBuilder();
    while (matcher.find()) {
      JsonNode value = resolve(matcher.group(1), values);
      String text = value.isTextual() ? value.textValue() : Json.write(value);
      matcher.appendReplacement(filled, Matcher.quoteReplacement(encode.apply(text)));
    }
    return matcher.appendTail(filled).toString();
  }

  /** Returns the value at a path below a node, {@code a.b.0.c}; a missing node if none. */
  public static JsonNode at(JsonNode node, String dottedPath) {
    JsonNode at = node;
    for (String step : dottedPath.split("\\.", -1)) {
      at =
          at.isArray() && step.matches("[0-9]{1,6}")
              ? at.path(Integer.parseInt(step))
              : at.path(step);
    }
    return at;
  }

  private static JsonNode resolve(String name, Function<String, JsonNode> values)
      throws Unresolved {
    JsonNode value = values.apply(name);
    if (value.isMissingNode()) {
      throw new Unresolved(name);
    }
    return value;
  }
}
