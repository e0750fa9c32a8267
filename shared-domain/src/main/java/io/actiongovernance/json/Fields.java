package io.actiongovernance.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.outcome.Problem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads and validates the fields of a JSON object from a request. An error names the field that is
 * invalid. A field that is {@code null} counts as absent. Fields read by a method whose name ends
 * in {@code OrNull} are optional, the others required.
 *
 * <p>All methods throw {@link Problem}: {@code missing_parameter} or {@code invalid_parameter} with
 * {@code param}. Not thread-safe.
 */
public final class Fields {
  private static final Pattern SLUG = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

  private final ObjectNode node;
  private final String path;
  private final boolean strict;
  private final Set<String> known = new HashSet<>();
  private Runnable whenDone = () -> {};

  /**
   * @param path prefix of each field's name in {@code param}; empty for the body itself
   * @param strict whether {@link #done()} refuses unknown fields
   */
  public Fields(ObjectNode node, String path, boolean strict) {
    this.node = node;
    this.path = path;
    this.strict = strict;
  }

  /** Prefix of each field's name; empty for the body itself. */
  public String path() {
    return path;
  }

  /** Returns the name of a field in the form that {@code param} has. */
  public String param(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Returns whether the field is present and not null. */
  public boolean has(String name) {
    known.add(name);
    return node.hasNonNull(name);
  }

  /** Returns whether the field is present and null, for updates that give null a meaning. */
  public boolean isNull(String name) {
    known.add(name);
    return node.has(name) && node.get(name).isNull();
  }

  /** Reads a text whose length in characters (code points) is within these bounds. */
  public String text(String name, int least, int most) {
    return required(name, textOrNull(name, least, most));
  }

  public @Nullable String textOrNull(String name, int least, int most) {
    JsonNode value = value(name);
    return value == null ? null : text(() -> param(name), value, least, most);
  }

  /**
   * Reads one line of text to show to people. It may have no control characters and none that
   * change the direction of text.
   */
  public String name(String name, int least, int most) {
    return required(name, nameOrNull(name, least, most));
  }

  public @Nullable String nameOrNull(String name, int least, int most) {
    String text = textOrNull(name, least, most);
    if (text != null && text.codePoints().anyMatch(Fields::isUnfitForNames)) {
      throw Problem.invalid(
          param(name), param(name) + " must not contain control or direction-changing characters.");
    }
    if (text != null && least > 0 && text.isBlank()) {
      throw Problem.invalid(param(name), param(name) + " must not be blank.");
    }
    return text;
  }

  /** Reads a slug: {@code ^[a-z][a-z0-9]*(-[a-z0-9]+)*$}, 3 to 60 characters. */
  public String slug(String name) {
    return required(name, slugOrNull(name));
  }

  public @Nullable String slugOrNull(String name) {
    String text = textOrNull(name, 3, 60);
    if (text != null && !SLUG.matcher(text).matches()) {
      throw Problem.invalid(
          param(name),
          param(name)
              + " must be lower-case letters, digits and single hyphens, beginning with a letter.");
    }
    return text;
  }

  public boolean flag(String name, boolean otherwise) {
    Boolean value = flagOrNull(name);
    return value == null ? otherwise : value;
  }

  public @Nullable Boolean flagOrNull(String name) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (!value.isBoolean()) {
      throw Problem.invalid(param(name), param(name) + " must be true or false.");
    }
    return value.booleanValue();
  }

  /** Reads a whole number within bounds, both inclusive. */
  public long whole(String name, long least, long most) {
    return required(name, wholeOrNull(name, least, most));
  }

  public @Nullable Long wholeOrNull(String name, long least, long most) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    BigDecimal number = value.isNumber() ? value.decimalValue() : null;
    if (number == null
        || number.stripTrailingZeros().scale() > 0
        || number.compareTo(BigDecimal.valueOf(least)) < 0
        || number.compareTo(BigDecimal.valueOf(most)) > 0) {
      throw Problem.invalid(
          param(name), param(name) + " must be a whole number from " + least + " to " + most + ".");
    }
    return number.longValueExact();
  }

  /** Reads a number, or a decimal string, exactly. */
  public @Nullable BigDecimal decimalOrNull(String name) {
    JsonNode value = value(name);
    return value == null ? null : decimal(param(name), value);
  }

  public static BigDecimal decimal(String param, JsonNode value) {
    if (value.isNumber()) {
      return value.decimalValue();
    }
    return Decimals.parse(value)
        .orElseThrow(
            () -> Problem.invalid(param, param + " must be a number or a decimal string."));
  }

  /** Reads a text that names one of a closed set. */
  public <T> T choice(String name, Function<String, Optional<T>> parse, String choices) {
    return required(name, choiceOrNull(name, parse, choices));
  }

  public <T> @Nullable T choiceOrNull(
      String name, Function<String, Optional<T>> parse, String choices) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    Optional<T> parsed = value.isTextual() ? parse.apply(value.textValue()) : Optional.empty();
    return parsed.orElseThrow(
        () -> Problem.invalid(param(name), param(name) + " must be " + choices + "."));
  }

  /** Reads an object as it was sent. */
  public ObjectNode object(String name) {
    return required(name, objectOrNull(name));
  }

  public @Nullable ObjectNode objectOrNull(String name) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof ObjectNode object)) {
      throw Problem.invalid(param(name), param(name) + " must be an object.");
    }
    return object;
  }

  /** Reads an object as fields. */
  public Fields fields(String name) {
    return new Fields(object(name), param(name), strict);
  }

  public @Nullable Fields fieldsOrNull(String name) {
    ObjectNode object = objectOrNull(name);
    return object == null ? null : new Fields(object, param(name), strict);
  }

  /** Reads an array of objects as fields. */
  public List<Fields> list(String name, int least, int most) {
    return required(name, listOrNull(name, least, most));
  }

  public @Nullable List<Fields> listOrNull(String name, int least, int most) {
    ArrayNode array = arrayOrNull(name, least, most);
    if (array == null) {
      return null;
    }
    List<Fields> list = new ArrayList<>();
    for (int at = 0; at < array.size(); at++) {
      String element = param(name) + "[" + at + "]";
      if (!(array.get(at) instanceof ObjectNode object)) {
        throw Problem.invalid(element, element + " must be an object.");
      }
      list.add(new Fields(object, element, strict));
    }
    return list;
  }

  public @Nullable List<String> textsOrNull(String name, int least, int most, int longest) {
    ArrayNode array = arrayOrNull(name, least, most);
    if (array == null) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    for (int at = 0; at < array.size(); at++) {
      int place = at;
      texts.add(text(() -> param(name) + "[" + place + "]", array.get(at), 1, longest));
    }
    return texts;
  }

  public List<String> texts(String name, int least, int most, int longest) {
    return required(name, textsOrNull(name, least, most, longest));
  }

  public @Nullable ArrayNode arrayOrNull(String name, int least, int most) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof ArrayNode array)) {
      throw Problem.invalid(param(name), param(name) + " must be an array.");
    }
    if (array.size() < least || array.size() > most) {
      throw Problem.invalid(
          param(name), param(name) + " must have " + least + " to " + most + " elements.");
    }
    return array;
  }

  /** Returns any value, or null if it is absent or JSON null. */
  public @Nullable JsonNode value(String name) {
    known.add(name);
    return node.hasNonNull(name) ? node.get(name) : null;
  }

  /** Ends the reading. In the latest revision, fields that were not read are refused. */
  public void done() {
    if (strict) {
      requireKnown();
    }
    whenDone.run();
  }

  private void requireKnown() {
    node.fieldNames()
        .forEachRemaining(
            name -> {
              if (!known.contains(name)) {
                throw Problem.invalid(param(name), "Unknown field " + param(name) + ".");
              }
            });
  }

  /** Sets an action that runs once all fields have been read and are valid. */
  public Fields whenDone(Runnable next) {
    whenDone = next;
    return this;
  }

  /** Marks fields as known without reading them. */
  public Fields knows(String... names) {
    known.addAll(List.of(names));
    return this;
  }

  private <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw Problem.missing(param(name));
    }
    return value;
  }

  private static String text(Supplier<String> param, JsonNode value, int least, int most) {
    if (!value.isTextual()) {
      throw Problem.invalid(param.get(), param.get() + " must be a string.");
    }
    String text = value.textValue();
    int length = text.codePointCount(0, text.length());
    if (length < least || length > most) {
      throw Problem.invalid(
          param.get(), param.get() + " must have " + least + " to " + most + " characters.");
    }
    return text;
  }

  private static boolean isUnfitForNames(int point) {
    int type = Character.getType(point);
    byte direction = Character.getDirectionality(point);
    return type == Character.CONTROL
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || point == 0x200E
        || point == 0x200F
        || point == 0x061C
        || (direction >= Character.DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING
            && direction <= Character.DIRECTIONALITY_POP_DIRECTIONAL_FORMAT
            && direction != Character.DIRECTIONALITY_RIGHT_TO_LEFT)
        || (direction >= Character.DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE
            && direction <= Character.DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE);
  }
}
