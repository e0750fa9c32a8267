package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class Placeholders {
  private static final Pattern WHOLE = Pattern.compile("\\{\\{\\s*args\\.([^{}]+?)\\s*}}");

  private Placeholders() {}

  /**
   * Fills in the template from named roots. If the whole value of an object's member is a
   * placeholder of an omitted argument, the member is omitted. Optional arguments are passed on in
   * this way.
   *
   * @return empty if any other placeholder names nothing
   */
  static Optional<JsonNode> fill(JsonNode template, Map<String, JsonNode> roots) {
    try {
      JsonNode args = roots.getOrDefault("args", MissingNode.getInstance());
      return Optional.of(Template.fill(withoutAbsent(template, args), lookup(roots)));
    } catch (Template.Unresolved e) {
      return Optional.empty();
    }
  }

  /** Resolves a name: {@code args.a.b} is {@code b} of {@code a} of the root {@code args}. */
  static Function<String, JsonNode> lookup(Map<String, JsonNode> roots) {
    return name -> {
      int dot = name.indexOf('.');
      JsonNode root = dot < 0 ? null : roots.get(name.substring(0, dot));
      return root == null ? MissingNode.getInstance() : Template.at(root, name.substring(dot + 1));
    };
  }

  /** Returns the paths of the arguments that a template names, each as its steps. */
  static List<List<String>> ofArgs(JsonNode template) {
    List<List<String>> paths = new ArrayList<>();
    if (template.isTextual()) {
      Matcher matcher = WHOLE.matcher(template.textValue());
      while (matcher.find()) {
        paths.add(List.of(matcher.group(1).split("\\.", -1)));
      }
    }
    template.forEach(member -> paths.addAll(ofArgs(member)));
    return paths;
  }

  private static JsonNode withoutAbsent(JsonNode template, JsonNode args) {
    return switch (template) {
      case ObjectNode object -> {
        ObjectNode kept = Json.object();
        for (var field : object.properties()) {
          if (!isAbsent(field.getValue(), args)) {
            kept.set(field.getKey(), withoutAbsent(field.getValue(), args));
          }
        }
        yield kept;
      }
      case ArrayNode array -> {
        ArrayNode kept = array.arrayNode();
        array.forEach(element -> kept.add(withoutAbsent(element, args)));
        yield kept;
      }
      default -> template;
    };
  }

  private static boolean isAbsent(JsonNode value, JsonNode args) {
    if (!value.isTextual()) {
      return false;
    }
    Matcher matcher = WHOLE.matcher(value.textValue());
    return matcher.matches() && Template.at(args, matcher.group(1)).isMissingNode();
  }
}
