package io.actiongovernance.functions.contract;

import io.actiongovernance.json.Json;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Parses texts into component types, and states their rules. Stateless. */
final class Texts {
  private Texts() {}

  /** Parses an identifier or a value of a closed set. */
  static Optional<?> parse(Part part, Class<?> type, String text) {
    if (!choices(part, type).isEmpty() && !choices(part, type).contains(text)) {
      return Optional.empty();
    }
    if (type == String.class) {
      return Optional.of(text);
    }
    Method parser = Wire.parser(type);
    if (parser != null) {
      return Wire.parse(parser, text);
    }
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .filter(value -> Json.tree(value).textValue().equals(text))
          .findFirst();
    }
    throw new IllegalStateException("Nothing reads " + part.name() + " as a " + type + ".");
  }

  /** The rule of a component, as a phrase for the error message. */
  static String rule(Part part) {
    return rule(part, part.raw());
  }

  static String rule(Part part, Class<?> type) {
    if (part.field() != null && !part.field().rule().isEmpty()) {
      return part.field().rule();
    }
    if (type == Instant.class) {
      return "an RFC 3339 timestamp";
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    List<String> choices = choices(part, type);
    if (!choices.isEmpty()) {
      return Wire.anyOf(choices);
    }
    return Wire.prefix(type) == null
        ? "in its documented form"
        : "the id of a" + (isVowel(Wire.noun(type).charAt(0)) ? "n " : " ") + Wire.noun(type);
  }

  private static boolean isVowel(char first) {
    return "aeiou".indexOf(first) >= 0;
  }

  /** The noun for a path's identifier, for the error message. */
  static String noun(Part part) {
    return part.field() != null && !part.field().rule().isEmpty()
        ? part.field().rule()
        : Wire.noun(part.raw());
  }

  /** The permitted values; empty if they are not a closed set. */
  static List<String> choices(Part part, Class<?> type) {
    if (part.field() != null && part.field().choices().length > 0) {
      return List.of(part.field().choices());
    }
    return type.isEnum() ? Wire.values(type) : Wire.choices(type);
  }
}
