package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.json.Json;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes JSON Schemas of records and unions. Each becomes a component under its name. Not
 * thread-safe: it collects the components of one document.
 */
public final class PublishedSchemas {
  /** The side that writes the described JSON. */
  public enum Side {
    /** The caller writes it, in a request: a field that may be omitted may also be null. */
    REQUEST,
    /**
     * The service writes it, in a response: every field is present unless the description says
     * otherwise.
     */
    ANSWER
  }

  /** The pattern of a decimal number in a text. */
  public static final String DECIMAL = "^-?[0-9]{1,100}(\\.[0-9]{1,100})?$";

  private static final String SLUG = "^[a-z][a-z0-9]*(-[a-z0-9]+)*$";
  private static final int SHORTEST_SLUG = 3;
  private static final int LONGEST_SLUG = 60;

  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, long.class, Integer.class, Long.class);

  private static final Set<Class<?>> FLAGS = Set.of(boolean.class, Boolean.class);

  private final ObjectNode components = Json.object();
  private final Map<String, Class<?>> named = new HashMap<>();

  /** The components of all types referenced so far, by name. */
  public ObjectNode components() {
    return components;
  }

  /** A reference to the schema of a record or union. The schema becomes a component. */
  public ObjectNode reference(Class<?> type, Side side) {
    String name = name(type);
    Class<?> before = named.putIfAbsent(name, type);
    if (before != null && before != type) {
      throw new IllegalStateException(before + " and " + type + " have the same name.");
    }
    if (before == null) {
      components.putObject(name);
      components.set(name, type.isSealed() ? union(type, side) : object(type, side));
    }
    return Json.object().put("$ref", "#/components/schemas/" + name);
  }

  /**
   * The name of a type's schema, such as {@code Plan} for a {@code PlanView} or a {@code PlanForm}.
   */
  static String name(Class<?> type) {
    String name = type.getSimpleName().replaceFirst("(View|Form)$", "");
    Class<?> outer = type.getEnclosingClass();
    boolean general = name.isEmpty() || name.equals("Item") || name.equals("Input");
    return general && outer != null
        ? outer.getSimpleName().replaceFirst("(View|Handler)$", "") + name
        : name;
  }

  /** The schema of a record, without a reference. */
  public ObjectNode object(Class<?> record, Side side) {
    return object(record, Part.of(record), side);
  }

  /** The schema of an object that has these components of a record. */
  ObjectNode object(Class<?> record, List<Part> parts, Side side) {
    ObjectNode schema = Json.object().put("type", "object");
    Doc doc = record.getAnnotation(Doc.class);
    boolean optional = side == Side.REQUEST || (doc != null && doc.asSent());
    if (doc != null) {
      schema.put("description", doc.value());
    }
    List<String> required = new ArrayList<>();
    ObjectNode properties = Json.object();
    for (Part part : parts) {
      properties.set(part.name(), schema(part, side));
      if (optional ? part.isRequired() : !part.omitted()) {
        required.add(part.name());
      }
    }
    if (!required.isEmpty()) {
      ArrayNode names = schema.putArray("required");
      required.forEach(names::add);
    }
    schema.set("properties", properties);
    return schema;
  }

  private ObjectNode union(Class<?> union, Side side) {
    ObjectNode schema = Json.object();
    Doc doc = union.getAnnotation(Doc.class);
    if (doc != null) {
      schema.put("description", doc.value());
    }
    ArrayNode members = schema.putArray("oneOf");
    Unions.members(union).forEach(member -> members.add(reference(member, side)));
    return schema;
  }

  /**
   * The schema of a union that may be null. Null is one more alternative, so the schema is inlined
   * here.
   */
  private ObjectNode unionOrNull(Class<?> union, Side side) {
    ObjectNode schema = union(union, side);
    ((ArrayNode) schema.path("oneOf")).addObject().put("type", "null");
    return schema;
  }

  ObjectNode schema(Part part, Side side) {
    ObjectNode schema = Json.object();
    boolean optional =
        side == Side.REQUEST
            ? (part.nullable() || !part.isRequired())
                && (part.field() == null || part.field().nullable())
            : part.nullable() && !part.omitted();
    String doc = Samples.doc(part);
    if (optional && part.told().isSealed() && !part.told().isEnum()) {
      return unionOrNull(part.told(), side).put("description", doc);
    }
    ObjectNode shape = shape(part, side);
    if (shape.has("$ref") || shape.has("oneOf") || shape.has("anyOf")) {
      if (optional) {
        ArrayNode choices = schema.put("description", doc).putArray("anyOf");
        if (shape.has("anyOf")) {
          choices.addAll((ArrayNode) shape.path("anyOf"));
        } else {
          choices.add(shape);
        }
        choices.addObject().put("type", "null");
        return said(schema, part);
      }
      schema.setAll(shape);
      return doc.isEmpty() ? schema : schema.put("description", doc);
    }
    if (optional && shape.has("type")) {
      String type = shape.path("type").textValue();
      shape.putArray("type").add(type).add("null");
      if (shape.has("enum")) {
        ((ArrayNode) shape.path("enum")).addNull();
      }
    }
    schema.setAll(shape);
    return said(schema.put("description", doc), part);
  }

  /** Adds the default and the example that the component declares. */
  private static ObjectNode said(ObjectNode schema, Part part) {
    if (part.field() != null && !part.field().otherwise().isEmpty()) {
      schema.set("default", Json.read(part.field().otherwise()));
    }
    JsonNode example = Samples.said(part);
    if (example != null) {
      schema.putArray("examples").add(example);
    }
    return schema;
  }

  private ObjectNode shape(Part part, Side side) {
    Field field = part.field();
    if (field != null && field.anyOf().length > 0) {
      ObjectNode shape = Json.object();
      ArrayNode choices = shape.putArray("anyOf");
      for (Class<?> choice : field.anyOf()) {
        choices.add(shape(part, choice, Side.ANSWER));
      }
      return shape;
    }
    if (field != null && field.as() != void.class) {
      boolean array = field.as().isArray();
      ObjectNode described = described(array ? field.as().componentType() : field.as(), side);
      if (!array
          && !Collection.class.isAssignableFrom(part.raw())
          && part.raw() != ArrayNode.class) {
        return described;
      }
      ObjectNode list = Json.object().put("type", "array");
      list.set("items", described);
      return counted(list, field);
    }
    ObjectNode shape = shape(part, part.type(), side);
    return Collection.class.isAssignableFrom(part.raw()) ? shape : constrained(shape, part);
  }

  /** The schema of the type that the component declares instead of its own. */
  private ObjectNode described(Class<?> as, Side side) {
    if (as == BigDecimal.class) {
      return decimal();
    }
    if (as == ObjectNode.class) {
      return Json.object().put("type", "object");
    }
    return told(as, side);
  }

  /**
   * Describes a nested record in place if it has no {@link Doc} of its own. Other types are
   * described by reference.
   */
  private ObjectNode told(Class<?> type, Side side) {
    boolean isPart =
        type.isRecord() && type.getEnclosingClass() != null && !type.isAnnotationPresent(Doc.class);
    return isPart ? object(type, side) : reference(type, side);
  }

  private ObjectNode shape(Part part, Type type, Side side) {
    Class<?> raw = Part.raw(type);
    ObjectNode shape = Json.object();
    if (raw == String.class) {
      return shape.put("type", "string");
    } else if (WHOLE.contains(raw)) {
      return shape.put("type", "integer");
    } else if (FLAGS.contains(raw)) {
      return shape.put("type", "boolean");
    } else if (raw == BigDecimal.class) {
      return side == Side.REQUEST ? decimal() : shape.put("type", "number");
    } else if (raw == Instant.class) {
      return shape.put("type", "string").put("format", "date-time");
    } else if (raw == URI.class) {
      return shape.put("type", "string").put("format", "uri");
    } else if (raw == JsonNode.class) {
      return shape;
    } else if (raw == ObjectNode.class || Map.class.isAssignableFrom(raw)) {
      return shape.put("type", "object");
    } else if (raw == ArrayNode.class) {
      return shape.put("type", "array");
    } else if (Collection.class.isAssignableFrom(raw)) {
      return list(part, side);
    }
    return named(part, raw, side);
  }

  private ObjectNode named(Part part, Class<?> raw, Side side) {
    List<String> choices = Texts.choices(part, raw);
    if (!choices.isEmpty()) {
      ObjectNode shape = Json.object().put("type", "string");
      ArrayNode values = shape.putArray("enum");
      choices.forEach(values::add);
      return shape;
    }
    String prefix = Wire.prefix(raw);
    if (prefix != null) {
      ObjectNode shape = Json.object().put("type", "string");
      if (raw == CorrelationId.class) {
        // Clients also create correlation identifiers.
        return shape.put("pattern", "^" + prefix + "[A-Za-z0-9._:-]{1,100}$");
      }
      return side == Side.REQUEST
          ? shape
          : shape.put("pattern", "^" + prefix + "[0-9a-hjkmnp-tv-z]{26}$");
    }
    if (raw.isRecord() || raw.isSealed()) {
      return told(raw, side);
    }
    throw new IllegalStateException("No schema describes " + part.name() + " as a " + raw + ".");
  }

  private ObjectNode list(Part part, Side side) {
    ObjectNode list = Json.object().put("type", "array");
    ObjectNode items = shape(part, part.element(), side);
    Field field = part.field();
    if (field != null && items.path("type").asText().equals("string")) {
      each(items, field);
    }
    list.set("items", items);
    return field == null ? list : counted(list, field);
  }

  /** Adds the rules for each text of a list. */
  private static void each(ObjectNode items, Field field) {
    pattern(items, field);
    if (field.eachMax() != Integer.MAX_VALUE) {
      if (!items.has("pattern")) {
        items.put("minLength", 1);
      }
      items.put("maxLength", field.eachMax());
    }
  }

  private static ObjectNode counted(ObjectNode list, Field field) {
    if (field.min() > 0) {
      list.put("minItems", field.min());
    }
    if (field.max() != Long.MAX_VALUE) {
      list.put("maxItems", field.max());
    }
    return list;
  }

  private static ObjectNode decimal() {
    ObjectNode shape = Json.object();
    ArrayNode choices = shape.putArray("anyOf");
    choices.addObject().put("type", "number");
    choices.addObject().put("type", "string").put("pattern", DECIMAL);
    return shape;
  }

  private static ObjectNode constrained(ObjectNode shape, Part part) {
    Field field = part.field();
    if (field == null || !shape.has("type")) {
      return shape;
    }
    if (!field.constant().isEmpty()) {
      shape.set("const", Samples.constant(part));
    }
    if (!field.format().isEmpty()) {
      shape.put("format", field.format());
    }
    if (shape.path("type").asText().equals("string")) {
      text(shape, part, field);
    } else {
      if (field.min() != Long.MIN_VALUE) {
        shape.put("minimum", field.min());
      }
      if (field.max() != Long.MAX_VALUE) {
        shape.put("maximum", field.max());
      }
    }
    return shape;
  }

  private static void text(ObjectNode shape, Part part, Field field) {
    List<String> choices = Texts.choices(part, part.raw());
    if (!choices.isEmpty() && !shape.has("enum")) {
      ArrayNode values = shape.putArray("enum");
      choices.forEach(values::add);
    }
    if (field.text() == Field.Text.SLUG) {
      shape.put("pattern", SLUG).put("minLength", SHORTEST_SLUG).put("maxLength", LONGEST_SLUG);
    }
    pattern(shape, field);
    if (field.min() != Long.MIN_VALUE) {
      shape.put("minLength", field.min());
    }
    if (field.max() != Long.MAX_VALUE) {
      shape.put("maxLength", field.max());
    }
  }

  private static void pattern(ObjectNode shape, Field field) {
    if (!field.published().isEmpty()) {
      shape.put("pattern", field.published());
    } else if (!field.pattern().isEmpty()) {
      shape.put("pattern", "^" + field.pattern() + "$");
    }
  }
}
