package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Template;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The templates of a manifest's request, filled in with a call's arguments. */
public final class Manifests {
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
