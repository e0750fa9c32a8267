package io.actiongovernance.functions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference in {@code docs/policy.md} says what is published of guardrails. */
class PolicyReferenceTest {
  private static final int MEANING = 4;

  private final JsonNode document =
      Json.read(OpenApiHandler.document(URI.create("https://api.example.com")));

  /** The cells of each row of the table under a heading, by the field's name. */
  private static Map<String, List<String>> table(String heading) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "policy.md"));
    Map<String, List<String>> rows = new LinkedHashMap<>();
    page.substring(page.indexOf("### " + heading + "\n") + 1)
        .lines()
        .skip(1)
        .takeWhile(line -> !line.startsWith("#"))
        .filter(line -> line.startsWith("| `"))
        .map(line -> Stream.of(line.split("\\|")).map(String::strip).skip(1).toList())
        .forEach(cells -> rows.put(cells.getFirst().replace("`", ""), cells));
    return rows;
  }

  @ParameterizedTest
  @CsvSource({
    "Guardrail, Guardrail",
    "Condition, GuardrailConditions",
    "Comparison, ArgCondition",
    "Limit, GuardrailLimit"
  })
  void theTableMatchesThePublishedSchema(String heading, String component) throws IOException {
    JsonNode schema = document.at("/components/schemas/" + component);
    Map<String, List<String>> rows = table(heading);
    assertThat(rows.keySet())
        .containsExactlyElementsOf(
            schema.path("properties").propertyStream().map(Map.Entry::getKey).toList());
    List<String> required = schema.path("required").valueStream().map(JsonNode::asText).toList();
    rows.forEach(
        (name, cells) -> {
          JsonNode field = schema.path("properties").path(name);
          assertThat(cells.subList(1, MEANING))
              .as(name)
              .containsExactly(
                  type(field),
                  required.contains(name)
                      ? "required"
                      : field.has("default")
                          ? "`" + Json.write(field.get("default")) + "`"
                          : "depends on `op`",
                  "`" + Json.write(field.at("/examples/0")) + "`");
          assertThat(field.path("description").asText()).as(name).isNotEmpty();
          assertThat(cells.get(MEANING)).as(name).isNotEmpty();
        });
  }

  /** The types of a field in words: {@code number, string or null}. */
  private String type(JsonNode field) {
    List<String> types = types(field).distinct().collect(Collectors.toCollection(ArrayList::new));
    if (types.isEmpty()) {
      return "any";
    }
    String last = types.removeLast();
    return types.isEmpty() ? last : String.join(", ", types) + " or " + last;
  }

  private Stream<String> types(JsonNode field) {
    JsonNode type = field.path("type");
    if (field.has("$ref")) {
      return types(document.at(field.path("$ref").asText().substring(1)));
    }
    return field.has("anyOf")
        ? field.path("anyOf").valueStream().flatMap(this::types)
        : type.isArray()
            ? type.valueStream().map(JsonNode::asText)
            : Stream.of(type.asText()).filter(text -> !text.isEmpty());
  }
}
