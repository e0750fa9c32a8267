package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Template;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Fills in the request templates of a manifest with a call's arguments. */
public final class Manifests {
  /** Some source systems read a backslash as a slash. */
  private static final Pattern DOT_SEGMENT = Pattern.compile("(^|[/\\\\])\\.{1,2}([/\\\\]|$)");

  private static final Pattern ESCAPED_SLASH = Pattern.compile("%(2[fF]|5[cC])");

  private Manifests() {}

  /**
   * Fills in the template. Members that pass on an omitted argument are omitted. Empty if the
   * template cannot be filled in.
   */
  public static Optional<JsonNode> fill(JsonNode template, JsonNode args) {
    return Placeholders.fill(template, Map.of("args", args));
  }

  public static Optional<ObjectNode> fillObject(ObjectNode template, JsonNode args) {
    return fill(template, args).map(ObjectNode.class::cast);
  }

  /** Returns whether a parameter or field of this name may change the method of a request. */
  public static boolean changesTheMethod(String field) {
    return HeaderNames.changesTheMethod(field);
  }

  /**
   * Returns whether the filled-in path has a dot segment, with the arguments as they are or
   * percent-decoded once. An intermediary may decode them once.
   */
  public static boolean makesDotSegment(String template, JsonNode args) {
    return fillPath(template, args, UnaryOperator.identity()).filter(Manifests::steps).isPresent();
  }

  private static boolean steps(String path) {
    String decoded = ESCAPED_SLASH.matcher(path).replaceAll("/").replaceAll("%2[eE]", ".");
    return DOT_SEGMENT.matcher(path).find() || DOT_SEGMENT.matcher(decoded).find();
  }

  /** Fills in a path, with each value encoded; empty if it cannot be filled in. */
  public static Optional<String> fillPath(
      String template, JsonNode args, UnaryOperator<String> encode) {
    try {
      return Optional.of(
          Template.text(template, Placeholders.lookup(Map.of("args", args)), encode));
    } catch (Template.Unresolved e) {
      return Optional.empty();
    }
  }
}
