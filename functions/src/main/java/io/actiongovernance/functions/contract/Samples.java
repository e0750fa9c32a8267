package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes sample responses from the examples of their components. Stateless. */
public final class Samples {
  private static final String ULID = "01m7yt2z78d1b3k25vq4kv9jme";
  private static final String TIME = "2026-11-20T21:44:07.412Z";

  private Samples() {}

  /** A sample of a record. */
  public static ObjectNode answer(Class<?> record) {
    ObjectNode sample = Json.object();
    for (Part part : Part.of(record)) {
      if (!part.omitted() || said(part) != null) {
        sample.set(part.name(), value(part));
      }
    }
    return sample;
  }

  /** The example that the component declares, as JSON; null if none. */
  static @Nullable JsonNode said(Part part) {
    Field field = part.field();
    if (field == null || field.example().isEmpty()) {
      return null;
    }
    String example = field.example();
    Class<?> raw = part.raw();
    boolean text =
        raw == String.class || raw == URI.class || Wire.parser(raw) != null || raw.isEnum();
    if (text && part.said().as() == void.class) {
      return TextNode.valueOf(example);
    }
    try {
      return Json.parse(example.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    } catch (Json.InvalidJson | Json.NumberOutOfRange _) {
      return TextNode.valueOf(example);
    }
  }

  /** The description of a component. Without a {@link Field}, it is derived from the type. */
  static String doc(Part part) {
    if (part.field() != null) {
      return part.field().doc();
    }
    Class<?> raw = part.raw();
    if (Wire.prefix(raw) != null) {
      return "Identifier of the " + Wire.noun(raw) + ".";
    }
    if (raw.isRecord() || raw.isSealed()) {
      return "";
    }
    throw new IllegalStateException("The component " + part.name() + " has no description.");
  }

  /** The only permitted value of a component, as JSON. */
  static JsonNode constant(Part part) {
    String constant = part.said().constant();
    return part.raw() == String.class ? TextNode.valueOf(constant) : Json.read(constant);
  }

  private static JsonNode value(Part part) {
    JsonNode said = said(part);
    if (said != null) {
      return said;
    }
    Field field = part.field();
    if (field != null && !field.constant().isEmpty()) {
      return constant(part);
    }
    if (part.nullable()) {
      return Json.object().nullNode();
    }
    if (field != null && field.as() != void.class && !isList(part)) {
      return of(field.as());
    }
    return byType(part);
  }

  private static JsonNode byType(Part part) {
    Class<?> raw = part.raw();
    List<String> choices = Texts.choices(part, raw);
    if (!choices.isEmpty()) {
      return TextNode.valueOf(choices.getFirst());
    } else if (Wire.prefix(raw) != null) {
      return TextNode.valueOf(Wire.prefix(raw) + ULID);
    } else if (raw == Instant.class) {
      return TextNode.valueOf(TIME);
    } else if (raw == boolean.class) {
      return Json.tree(false);
    } else if (raw == int.class || raw == long.class || raw == BigDecimal.class) {
      long min = part.field() == null ? 0 : Math.max(0, part.field().min());
      return Json.tree(min);
    } else if (isList(part)) {
      return Json.tree(List.of());
    } else if (raw == ObjectNode.class || Map.class.isAssignableFrom(raw)) {
      return Json.object();
    } else if (raw.isRecord() || raw.isSealed()) {
      return of(raw);
    }
    throw new IllegalStateException("The component " + part.name() + " needs an example.");
  }

  private static JsonNode of(Class<?> type) {
    if (type == ObjectNode.class) {
      return Json.object();
    }
    if (type.isSealed()) {
      return of(Unions.members(type).getFirst());
    }
    return answer(type);
  }

  private static boolean isList(Part part) {
    return Collection.class.isAssignableFrom(part.raw())
        || part.raw() == ArrayNode.class
        || part.told().isArray();
  }
}
