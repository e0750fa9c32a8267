package io.actiongovernance.functions.contract;

import io.actiongovernance.json.Json;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The conversion between domain types and their texts. A static {@code parse(String)} that returns
 * an Optional reads identifiers and closed sets.
 */
final class Wire {
  private Wire() {}

  /** The method that parses texts into this type; null if it has none. */
  static @Nullable Method parser(Class<?> type) {
    return Arrays.stream(type.getMethods())
        .filter(
            method ->
                method.getName().equals("parse")
                    && Modifier.isStatic(method.getModifiers())
                    && method.getReturnType() == Optional.class
                    && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class}))
        .findFirst()
        .orElse(null);
  }

  static Optional<?> parse(Method parser, String text) {
    return (Optional<?>) invoke(parser, text);
  }

  /** The prefix of the type's identifiers; null if it is not an identifier type. */
  static @Nullable String prefix(Class<?> type) {
    try {
      return (String) type.getField("PREFIX").get(null);
    } catch (NoSuchFieldException _) {
      return null;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The noun for an identifier type, which is its class name without {@code Id}: {@code endpoint},
   * not {@code webhook endpoint}.
   */
  static String noun(Class<?> type) {
    return type.getSimpleName().replaceFirst("Id$", "").toLowerCase(Locale.ROOT);
  }

  /** The values of an enum, as they are sent. */
  static List<String> values(Class<?> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(value -> Json.tree(value).textValue())
        .toList();
  }

  /** The values that a static {@code choices()} returns; empty if the type has none. */
  @SuppressWarnings("unchecked")
  static List<String> choices(Class<?> type) {
    try {
      return (List<String>) invoke(type.getMethod("choices"));
    } catch (NoSuchMethodException _) {
      return List.of();
    }
  }

  /** Joins values as {@code a, b or c}. */
  static String anyOf(List<String> choices) {
    return choices.size() == 1
        ? choices.getFirst()
        : choices.subList(0, choices.size() - 1).stream().collect(Collectors.joining(", "))
            + " or "
            + choices.getLast();
  }

  /** Calls a static method, and rethrows its unchecked exceptions unchanged. */
  static Object invoke(Method method, Object... arguments) {
    try {
      return method.invoke(null, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new IllegalStateException(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(method + " cannot be called.", e);
    }
  }
}
