package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A policy of IAM, or of a resource. Immutable. */
record Policy(List<JsonNode> statements) {
  Policy {
    statements = List.copyOf(statements);
  }

  static Policy of(JsonNode document) {
    List<JsonNode> statements = new ArrayList<>();
    document.path("Statement").forEach(statements::add);
    return new Policy(statements);
  }

  boolean allows(Act act) {
    return says("Allow", act) && !denies(act);
  }

  boolean denies(Act act) {
    return says("Deny", act);
  }

  private boolean says(String effect, Act act) {
    return statements.stream()
        .filter(one -> one.path("Effect").asText().equals(effect))
        .filter(one -> isAbout(one.path("Principal"), act.principal()))
        .filter(one -> anyMatches(one.path("Action"), act.action()))
        .filter(one -> !one.has("Resource") || anyMatches(one.path("Resource"), act.resource()))
        .anyMatch(one -> holds(one.path("Condition"), act));
  }

  /** A role's own statements name nobody: they are the role's. */
  private static boolean isAbout(JsonNode principal, String who) {
    return principal.isMissingNode()
        || principal.path("AWS").asText().equals("*")
        || anyMatches(principal.path("Service"), who);
  }

  private static boolean holds(JsonNode condition, Act act) {
    return condition.properties().stream()
        .allMatch(
            test ->
                test.getValue().properties().stream()
                    .allMatch(
                        one -> holds(test.getKey(), act.value(one.getKey()), one.getValue())));
  }

  private static boolean holds(String test, List<String> values, JsonNode wanted) {
    return switch (test) {
      case "Bool", "ArnEquals", "StringEquals" -> values.stream().anyMatch(value -> anyMatches(wanted, value));
      case "ArnNotEquals" -> values.stream().noneMatch(value -> anyMatches(wanted, value));
      case "ForAnyValue:StringNotLike" ->
          values.stream().anyMatch(value -> !anyMatches(wanted, value));
      case "ForAllValues:StringLike", "ForAllValues:StringEquals" ->
          values.stream().allMatch(value -> anyMatches(wanted, value));
      default -> throw new Refused("The condition %s is not known here.".formatted(test));
    };
  }

  private static boolean anyMatches(JsonNode patterns, String value) {
    if (patterns.isTextual()) {
      return matches(patterns.asText(), value);
    }
    for (JsonNode pattern : patterns) {
      if (matches(pattern.asText(), value)) {
        return true;
      }
    }
    return false;
  }

  /** Whether it is what the pattern says, in which a star stands for anything. */
  static boolean matches(String pattern, String value) {
    return Pattern.matches("\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E", value);
  }
}
