package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Given;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.time.Timestamps;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads record components from the fields of a JSON object. A type may have its own static {@code
 * read(Fields)} or {@code read(Fields parent, String field)}. Such a type is read by that method,
 * because it is a document that is stored and read again. Stateless.
 */
final class BodyReader {
  private BodyReader() {}

  /** Reads the value of a component; null if it is absent and not required. */
  static @Nullable Object read(Fields fields, Part part) {
    if (part.given()) {
      if (!fields.has(part.name()) && !fields.isNull(part.name())) {
        return Given.absent();
      }
      return Given.of(optional(fields, part));
    }
    if (part.field() != null && !part.field().nullable() && fields.isNull(part.name())) {
      throw Problem.invalid(fields.param(part.name()), part.name() + " must not be null.");
    }
    Object value = optional(fields, part);
    if (value == null && part.field() != null && !part.field().otherwise().isEmpty()) {
      ObjectNode otherwise = Json.object();
      otherwise.set(part.name(), Json.read(part.field().otherwise()));
      return optional(new Fields(otherwise, "", true), part);
    }
    if (value == null && part.isRequired() && !(part.nullable() && fields.isNull(part.name()))) {
      throw Problem.missing(fields.param(part.name()));
    }
    return value;
  }

  private static @Nullable Object optional(Fields fields, Part part) {
    String name = part.name();
    Class<?> type = part.raw();
    if (type == String.class) {
      return text(fields, part);
    } else if (type == long.class || type == Long.class) {
      return fields.wholeOrNull(name, least(part, Long.MIN_VALUE), most(part, Long.MAX_VALUE));
    } else if (type == int.class || type == Integer.class) {
      Long whole =
          fields.wholeOrNull(name, least(part, Integer.MIN_VALUE), most(part, Integer.MAX_VALUE));
      return whole == null ? null : Math.toIntExact(whole);
    } else if (type == boolean.class || type == Boolean.class) {
      return fields.flagOrNull(name);
    } else if (type == BigDecimal.class) {
      return fields.decimalOrNull(name);
    } else if (type == Instant.class) {
      return fields.choiceOrNull(name, Timestamps::parse, Texts.rule(part));
    } else if (type == JsonNode.class) {
      return fields.value(name);
    } else if (type == ObjectNode.class) {
      return fields.objectOrNull(name);
    } else if (type == ArrayNode.class) {
      return fields.arrayOrNull(name, count(part, 0), count(part, Integer.MAX_VALUE));
    } else if (type == List.class) {
      return list(fields, part);
    }
    return other(fields, part, type);
  }

  private static @Nullable Object other(Fields fields, Part part, Class<?> type) {
    Method ofParent = reader(type, Fields.class, String.class);
    if (ofParent != null) {
      return fields.has(part.name()) ? Wire.invoke(ofParent, fields, part.name()) : null;
    }
    if (reader(type, Fields.class) != null
        || type.isRecord() && Wire.parser(type) == null
        || type.isSealed()) {
      Fields own = fields.fieldsOrNull(part.name());
      return own == null ? null : object(own, type);
    }
    return fields.choiceOrNull(
        part.name(),
        text -> Texts.parse(part, type, text).map(Object.class::cast),
        Texts.rule(part));
  }

  /** Reads an object by its type's own reader if it has one, else as a union member or a record. */
  private static Object object(Fields fields, Class<?> type) {
    Method own = reader(type, Fields.class);
    if (own != null) {
      return Wire.invoke(own, fields);
    }
    return type.isSealed() ? member(fields, type) : record(fields, type);
  }

  private static <R> R record(Fields fields, Class<R> type) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Part part : Part.of(type)) {
      values.add(read(fields, part));
    }
    fields.done();
    try {
      return RecordMaker.of(type).make(values);
    } catch (Problem e) {
      throw e.within(fields.path());
    }
  }

  /** Reads a union's member, which its constant field identifies. */
  private static Object member(Fields fields, Class<?> union) {
    String name = Unions.discriminator(union);
    Class<?> member =
        fields.choice(
            name, text -> Unions.member(union, text), Wire.anyOf(Unions.constants(union)));
    return record(fields, member);
  }

  private static @Nullable String text(Fields fields, Part part) {
    String name = part.name();
    Field said = part.said();
    if (said.text() == Field.Text.SLUG) {
      return fields.slugOrNull(name);
    }
    int least = (int) least(part, 0);
    int most = count(part, Integer.MAX_VALUE);
    String text =
        said.text() == Field.Text.LINE
            ? fields.nameOrNull(name, least, most)
            : fields.textOrNull(name, least, most);
    List<String> choices = Texts.choices(part, String.class);
    String constant = said.constant();
    boolean fits =
        text == null
            || ((said.pattern().isEmpty() || Pattern.matches(said.pattern(), text))
                && (choices.isEmpty() || choices.contains(text))
                && (constant.isEmpty() || constant.equals(text)));
    if (!fits) {
      throw Problem.invalid(
          fields.param(name), fields.param(name) + " must be " + Texts.rule(part) + ".");
    }
    return text;
  }

  private static @Nullable List<?> list(Fields fields, Part part) {
    Class<?> element = Part.raw(part.element());
    int least = (int) least(part, 0);
    int most = count(part, Integer.MAX_VALUE);
    String name = part.name();
    if (isText(element)) {
      Field said = part.said();
      List<String> texts = fields.textsOrNull(name, least, most, said.eachMax());
      return texts == null || element == String.class
          ? texts
          : parsed(fields, part, texts, element);
    }
    if (element == JsonNode.class) {
      ArrayNode array = fields.arrayOrNull(name, least, most);
      return array == null ? null : array.valueStream().toList();
    }
    List<Fields> objects = fields.listOrNull(name, least, most);
    return objects == null
        ? null
        : objects.stream().<Object>map(one -> object(one, element)).toList();
  }

  private static boolean isText(Class<?> element) {
    return element == String.class || element.isEnum() || Wire.parser(element) != null;
  }

  private static List<Object> parsed(
      Fields fields, Part part, List<String> texts, Class<?> element) {
    List<Object> parsed = new ArrayList<>();
    for (String text : texts) {
      String param = fields.param(part.name()) + "[" + parsed.size() + "]";
      Optional<?> one = Texts.parse(part, element, text);
      parsed.add(
          one.orElseThrow(
              () -> Problem.invalid(param, param + " must be " + Texts.rule(part, element) + ".")));
    }
    return parsed;
  }

  /** The type's own static {@code read} method; null if it has none. */
  private static @Nullable Method reader(Class<?> type, Class<?>... parameters) {
    return Arrays.stream(type.getMethods())
        .filter(
            method ->
                method.getName().equals("read")
                    && java.lang.reflect.Modifier.isStatic(method.getModifiers())
                    && Arrays.equals(method.getParameterTypes(), parameters))
        .findFirst()
        .orElse(null);
  }

  private static long least(Part part, long otherwise) {
    Field field = part.field();
    return field == null || !field.checked() || field.min() == Long.MIN_VALUE
        ? otherwise
        : field.min();
  }

  private static long most(Part part, long otherwise) {
    Field field = part.field();
    return field == null || !field.checked() || field.max() == Long.MAX_VALUE
        ? otherwise
        : field.max();
  }

  private static int count(Part part, int otherwise) {
    return (int) most(part, otherwise);
  }
}
