package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * A field of an HTML form, not yet encoded. Nested members are named {@code a[b]}, and elements of
 * arrays {@code a[0]}. Null and empty containers become an empty text, which tells a source system
 * to unset the field.
 */
public record FormField(String name, String value) {
  public static List<FormField> of(JsonNode body) {
    List<FormField> fields = new ArrayList<>();
    body.properties().forEach(member -> add(fields, member.getKey(), member.getValue()));
    return fields;
  }

  private static void add(List<FormField> fields, String name, JsonNode value) {
    if (value.isEmpty()) {
      fields.add(new FormField(name, value.isValueNode() && !value.isNull() ? text(value) : ""));
    } else if (value.isArray()) {
      for (int at = 0; at < value.size(); at++) {
        add(fields, name + "[" + at + "]", value.get(at));
      }
    } else {
      value
          .properties()
          .forEach(member -> add(fields, name + "[" + member.getKey() + "]", member.getValue()));
    }
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.textValue() : Json.write(value);
  }
}
