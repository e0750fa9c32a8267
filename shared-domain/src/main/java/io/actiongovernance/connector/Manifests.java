package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Template;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The templates of a manifest's request, filled in with a call's arguments. */
public final class Manifests {
  /** Some source systems take a backslash for a slash. */
  private static final Pattern DOT_SEGMENT = Pattern.compile("(^|[/\\\\])\\.{1,2}([/\\\\]|$)");

  private static final Pattern ESCAPED_SLASH = Pattern.compile("%(2[fF]|5[cC])");

  private Manifests() {}

  /**
   * The template filled in; members that pass on an argument which was left out are left out. Empty
   * when it cannot be filled in.
   */
  public static Optional<JsonNode> fill(JsonNode template, JsonNode args) {
    return Placeholders.fill(template, Map.of("args", args));
  }

  /** An object template filled in. */
  public static Optional<ObjectNode> fillObject(ObjectNode template, JsonNode args) {
    return fill(template, args).map(ObjectNode.class::cast);
  }

  /** Whether a parameter or field of this name may make it a request of another method. */
  public static boolean changesTheMethod(String field) {
    return HeaderNames.changesTheMethod(field);
  }

  /**
   * Whether the path filled in has a segment that means the same place or the one above, as the
   * arguments are or percent-decoded once: that is how often somebody on the way may decode it.
   */
  public static boolean makesDotSegment(String template, JsonNode args) {
    return fillPath(template, args, UnaryOperator.identity()).filter(Manifests::steps).isPresent();
  }

  private static boolean steps(String path) {
    String decoded = ESCAPED_SLASH.matcher(path).replaceAll("/").replaceAll("%2[eE]", ".");
    return DOT_SEGMENT.matcher(path).find() || DOT_SEGMENT.matcher(decoded).find();
  }

  /** A path filled in, each value encoded; empty when it cannot be. */
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
