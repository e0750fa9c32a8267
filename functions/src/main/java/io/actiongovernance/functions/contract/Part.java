package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.actiongovernance.json.Given;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record component of a request or a response, as readers and publishers of records see it.
 * Immutable.
 *
 * @param name in {@code snake_case}, as it is sent
 * @param type the component's type; for a {@link Given}, the type of its value
 * @param nullable whether the value may be null or absent
 * @param given whether absent and null have different meanings
 * @param omitted whether a response omits the component if it is null
 * @param field the component's description; null if it has none
 */
record Part(
    String name,
    Type type,
    boolean nullable,
    boolean given,
    boolean omitted,
    @Nullable Field field) {
  private static final PropertyNamingStrategies.SnakeCaseStrategy SNAKE_CASE =
      new PropertyNamingStrategies.SnakeCaseStrategy();

  /** Caches the components of each record, so that reading a request needs no reflection. */
  private static final ClassValue<List<Part>> FOUND =
      new ClassValue<>() {
        @Override
        protected List<Part> computeValue(Class<?> record) {
          if (!record.isRecord()) {
            throw new IllegalArgumentException(record + " is not a record.");
          }
          return Arrays.stream(record.getRecordComponents()).flatMap(Part::parts).toList();
        }
      };

  /** The components of a record, in order; an unwrapped one is replaced by its own components. */
  static List<Part> of(Class<?> record) {
    return FOUND.get(record);
  }

  private static Stream<Part> parts(RecordComponent component) {
    return isUnwrapped(component) ? of(component.getType()).stream() : Stream.of(of(component));
  }

  /** Returns whether the component is replaced by the components of its record. */
  static boolean isUnwrapped(RecordComponent component) {
    return component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
  }

  private static Part of(RecordComponent component) {
    Field field = component.getAnnotation(Field.class);
    JsonInclude include = component.getAccessor().getAnnotation(JsonInclude.class);
    AnnotatedType type = component.getAnnotatedType();
    boolean given = component.getType() == Given.class;
    AnnotatedType own =
        given ? ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[0] : type;
    return new Part(
        field != null && !field.name().isEmpty()
            ? field.name()
            : SNAKE_CASE.translate(component.getName()),
        own.getType(),
        given || type.isAnnotationPresent(Nullable.class),
        given,
        include != null && include.value() == JsonInclude.Include.NON_NULL,
        field);
  }

  Field said() {
    if (field == null) {
      throw new IllegalStateException("The component " + name + " has no description.");
    }
    return field;
  }

  Class<?> raw() {
    return raw(type);
  }

  /** The type that describes the component's JSON. */
  Class<?> told() {
    return field != null && field.as() != void.class ? field.as() : raw();
  }

  /** The element type of a list. */
  Type element() {
    return ((ParameterizedType) type).getActualTypeArguments()[0];
  }

  static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> plain -> plain;
      case ParameterizedType parameterized -> (Class<?>) parameterized.getRawType();
      default -> throw new IllegalArgumentException("A component cannot be a " + type + ".");
    };
  }

  boolean isRequired() {
    return field == null
        ? !nullable
        : field.required() || (!nullable && field.otherwise().isEmpty());
  }
}
