package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes the resources of one template what it says, each after those it speaks of or depends on.
 * For one thread.
 */
final class Provisioning {
  private static final Set<String> OF_TEMPLATE =
      Set.of("Description", "Metadata", "Resources", "Outputs");
  private static final Set<String> OF_RESOURCE =
      Set.of(
          "Type", "Properties", "DependsOn", "Metadata", "DeletionPolicy", "UpdateReplacePolicy");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z0-9:.]+)}");
  private static final Map<String, String> PSEUDO =
      Map.of(
          "AWS::AccountId",
          Aws.ACCOUNT,
          "AWS::Region",
          Aws.REGION.id(),
          "AWS::Partition",
          "aws",
          "AWS::URLSuffix",
          "amazonaws.com");

  private final JsonNode template;
  private final Changes changes;
  private final Map<String, String> exports;
  private final Set<String> imports = new HashSet<>();
  private final Map<String, Made> made = new HashMap<>();
  private final Set<String> begun = new HashSet<>();

  /**
   * @param changes to the resources of the stack that there is so far
   * @param exports of the other stacks there are, by name
   */
  Provisioning(JsonNode template, Changes changes, Map<String, String> exports) {
    this.template = template;
    this.changes = changes;
    this.exports = exports;
  }

  /** That a resource could not be made. */
  static final class Failed extends Exception {
    private final String id;
    private final String type;

    Failed(String id, String type, Exception cause) {
      super(cause.getMessage() == null ? cause.toString() : cause.getMessage(), cause);
      this.id = id;
      this.type = type;
    }

    String id() {
      return id;
    }

    String type() {
      return type;
    }
  }

  /**
   * What a stack tells, and has been told.
   *
   * @param exports the names of those outputs that are exported, with their values
   * @param imports what it uses of the exports of others
   */
  record Told(Map<String, String> outputs, Map<String, String> exports, Set<String> imports) {
    static final Told NOTHING = new Told(Map.of(), Map.of(), Set.of());

    Told {
      outputs = Map.copyOf(outputs);
      exports = Map.copyOf(exports);
      imports = Set.copyOf(imports);
    }
  }

  /** Brings about all that the template says. */
  Told bring() throws Failed {
    try {
      knows("The template", template, OF_TEMPLATE);
      requireWhatLeavesToBeDeletable();
      for (Map.Entry<String, JsonNode> resource : template.path("Resources").properties()) {
        made(resource.getKey());
      }
      Map<String, String> outputs = new LinkedHashMap<>();
      Map<String, String> exported = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> output : template.path("Outputs").properties()) {
        String value = text(output.getValue().path("Value"));
        outputs.put(output.getKey(), value);
        if (output.getValue().has("Export")) {
          exported.put(text(output.getValue().at("/Export/Name")), value);
        }
      }
      return new Told(outputs, exported, imports);
    } catch (Refused e) {
      throw new Failed("the template", "AWS::CloudFormation::Stack", e);
    }
  }

  private void requireWhatLeavesToBeDeletable() throws Failed {
    Set<String> named = new HashSet<>();
    template.path("Resources").fieldNames().forEachRemaining(named::add);
    for (Resource leaving : changes.leaving(named)) {
      try {
        leaving.kind().requireDeletable();
      } catch (Refused e) {
        throw new Failed(leaving.id(), leaving.kind().type(), e);
      }
    }
  }

  private static void knows(String what, JsonNode object, Set<String> names) {
    object
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (!names.contains(name)) {
                throw new Refused(
                    "%s has a part %s, which is not known here.".formatted(what, name));
              }
            });
  }

  private Made made(String id) throws Failed {
    Made known = made.get(id);
    if (known != null) {
      return known;
    }
    JsonNode resource = template.path("Resources").path(id);
    if (resource.isMissingNode()) {
      throw new Refused("There is no resource %s.".formatted(id)); // fails the referrer
    }
    String type = resource.path("Type").asText();
    try {
      knows(id, resource, OF_RESOURCE);
      if (!begun.add(id)) {
        throw new Refused("There is a circle of resources that need %s.".formatted(id));
      }
      JsonNode needs = resource.path("DependsOn");
      for (JsonNode needed :
          needs.isTextual() ? JsonNodeFactory.instance.arrayNode().add(needs) : needs) {
        made(needed.asText());
      }
      JsonNode properties = resource.path("Properties");
      Made fresh =
          changes.bring(
              id, resource, properties.isMissingNode() ? Json.object() : resolved(properties));
      made.put(id, fresh);
      return fresh;
    } catch (Failed e) {
      throw e;
    } catch (Exception e) {
      throw new Failed(id, type, e);
    }
  }

  private JsonNode resolved(JsonNode value) throws Failed {
    if (value.size() == 1 && value.isObject()) {
      String name = value.fieldNames().next();
      if (name.equals("Ref") || name.startsWith("Fn::")) {
        return function(name, value.get(name));
      }
    }
    if (value.isObject()) {
      ObjectNode object = Json.object();
      for (Map.Entry<String, JsonNode> field : value.properties()) {
        object.set(field.getKey(), resolved(field.getValue()));
      }
      return object;
    }
    if (value.isArray()) {
      ArrayNode array = JsonNodeFactory.instance.arrayNode();
      for (JsonNode one : value) {
        array.add(resolved(one));
      }
      return array;
    }
    return value;
  }

  private String text(JsonNode value) throws Failed {
    JsonNode text = resolved(value);
    if (!text.isValueNode()) {
      throw new Refused("%s is no text.".formatted(text));
    }
    return text.asText();
  }

  private JsonNode function(String name, JsonNode argument) throws Failed {
    return switch (name) {
      case "Ref" -> TextNode.valueOf(named(argument.asText()));
      case "Fn::GetAtt" ->
          TextNode.valueOf(made(argument.path(0).asText()).attribute(argument.path(1).asText()));
      case "Fn::Join" -> TextNode.valueOf(joined(argument));
      case "Fn::Sub" -> TextNode.valueOf(substituted(argument));
      case "Fn::ImportValue" -> TextNode.valueOf(imported(text(argument)));
      case "Fn::Select" -> selected(argument);
      case "Fn::Split" -> split(argument);
      default -> throw new Refused("The function %s is not known here.".formatted(name));
    };
  }

  private String named(String name) throws Failed {
    if (!name.startsWith("AWS::")) {
      return made(name).ref();
    }
    return Optional.ofNullable(PSEUDO.get(name))
        .orElseThrow(() -> new Refused("The parameter %s is not known here.".formatted(name)));
  }

  private String joined(JsonNode argument) throws Failed {
    List<String> parts = new ArrayList<>();
    for (JsonNode part : resolved(argument.path(1))) {
      parts.add(text(part));
    }
    return String.join(argument.path(0).asText(), parts);
  }

  private String substituted(JsonNode argument) throws Failed {
    if (!argument.isTextual()) {
      throw new Refused("Fn::Sub is not known here but of a text.");
    }
    Matcher variables = VARIABLE.matcher(argument.asText());
    StringBuilder text = new StringBuilder();
    while (variables.find()) {
      String name = variables.group(1);
      int dot = name.indexOf('.');
      String value =
          dot < 0 ? named(name) : made(name.substring(0, dot)).attribute(name.substring(dot + 1));
      variables.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    return variables.appendTail(text).toString();
  }

  private String imported(String export) {
    imports.add(export);
    return Optional.ofNullable(exports.get(export))
        .orElseThrow(() -> new Refused("No export named %s found.".formatted(export)));
  }

  private JsonNode selected(JsonNode argument) throws Failed {
    JsonNode found = resolved(argument.path(1)).path(Integer.parseInt(text(argument.path(0))));
    if (found.isMissingNode()) {
      throw new Refused("Fn::Select selects what there is not: %s".formatted(argument));
    }
    return found;
  }

  private JsonNode split(JsonNode argument) throws Failed {
    ArrayNode parts = JsonNodeFactory.instance.arrayNode();
    for (String part : text(argument.path(1)).split(Pattern.quote(argument.path(0).asText()), -1)) {
      parts.add(part);
    }
    return parts;
  }
}
