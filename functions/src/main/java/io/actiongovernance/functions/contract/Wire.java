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
 * What the types of the domain say of their texts: identifiers and closed sets are read by a static
 * {@code parse(String)} that answers an Optional.
 */
final class Wire {
  private Wire() {}

  /** The method that reads texts as this type, or null if it has none. */
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

  /** What every identifier of the type begins with, or null if it is none. */
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
   * What an identifier of the type identifies: {@code webhook endpoint} is not told, endpoint is.
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

  /** What a type that is no enum says are its values, by a static {@code choices()}. */
  @SuppressWarnings("unchecked")
  static List<String> choices(Class<?> type) {
    try {
      return (List<String>) invoke(type.getMethod("choices"));
    } catch (NoSuchMethodException _) {
      return List.of();
    }
  }

  /** {@code a, b or c}. */
  static String anyOf(List<String> choices) {
    return choices.size() == 1
        ? choices.getFirst()
        : choices.subList(0, choices.size() - 1).stream().collect(Collectors.joining(", "))
            + " or "
            + choices.getLast();
  }

  /** Calls a method; what that throws unchecked is thrown. */
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
