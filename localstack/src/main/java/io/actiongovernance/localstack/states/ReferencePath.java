package io.actiongovernance.localstack.states;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A path of the States Language that names one value: {@code $}, or {@code $.answer.wait_until}.
 * Other forms of JSONPath it does not know, and says so. Immutable.
 */
record ReferencePath(List<String> names) {
  private static final Pattern FORM = Pattern.compile("\\$(\\.[A-Za-z_][A-Za-z0-9_]*)*");

  ReferencePath {
    names = List.copyOf(names);
  }

  static ReferencePath parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException("This stack does not know the path " + text);
    }
    return new ReferencePath(
        text.equals("$") ? List.of() : Arrays.asList(text.substring(2).split("\\.", -1)));
  }

  /** What it names in the data; a missing node for nothing. */
  JsonNode in(JsonNode data) {
    JsonNode value = data;
    for (String name : names) {
      value = value.path(name);
    }
    return value;
  }

  /** What it names in the data, where the machine cannot go on without it. */
  JsonNode require(JsonNode data) throws ExecutionFailed {
    JsonNode value = in(data);
    if (value.isMissingNode()) {
      throw new ExecutionFailed(ExecutionFailed.RUNTIME, "There is no " + this + " in the input.");
    }
    return value;
  }

  /** The data with the value in the place it names, objects being made on the way there. */
  JsonNode put(JsonNode data, JsonNode value) {
    return put(data, names, value);
  }

  private static JsonNode put(JsonNode data, List<String> names, JsonNode value) {
    if (names.isEmpty()) {
      return value;
    }
    ObjectNode object = data instanceof ObjectNode whole ? whole.deepCopy() : Json.object();
    String first = names.getFirst();
    JsonNode inner = object.has(first) ? object.get(first) : MissingNode.getInstance();
    object.set(first, put(inner, names.subList(1, names.size()), value));
    return object;
  }

  @Override
  public String toString() {
    return names.isEmpty() ? "$" : "$." + String.join(".", names);
  }
}
