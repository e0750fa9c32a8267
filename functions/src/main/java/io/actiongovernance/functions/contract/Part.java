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
 * A component of a record, as the walk over requests and answers sees it. Immutable.
 *
 * @param name in {@code snake_case}, as it is sent
 * @param type of what is in it: the value's, where it is a {@link Given}
 * @param nullable whether there may be no value
 * @param given whether absent and null are told apart
 * @param omitted whether an answer leaves it out where there is none
 * @param field what is said of it; null where nothing is
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

  /** What was found of each record, so that a request is read without looking again. */
  private static final ClassValue<List<Part>> FOUND =
      new ClassValue<>() {
        @Override
        protected List<Part> computeValue(Class<?> record) {
          if (!record.isRecord()) {
            throw new IllegalArgumentException(record + " is no record.");
          }
          return Arrays.stream(record.getRecordComponents()).flatMap(Part::parts).toList();
        }
      };

  /** Of a record, in their order; those of a component that is unwrapped stand in its place. */
  static List<Part> of(Class<?> record) {
    return FOUND.get(record);
  }

  private static Stream<Part> parts(RecordComponent component) {
    return isUnwrapped(component) ? of(component.getType()).stream() : Stream.of(of(component));
  }

  /** Whether the components of the record in it stand in its place. */
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

  /** What is said of it. */
  Field said() {
    if (field == null) {
      throw new IllegalStateException("Nothing is said of the component " + name + ".");
    }
    return field;
  }

  /** Its class. */
  Class<?> raw() {
    return raw(type);
  }

  /** The type that tells of its shape. */
  Class<?> told() {
    return field != null && field.as() != void.class ? field.as() : raw();
  }

  /** What a list of them holds. */
  Type element() {
    return ((ParameterizedType) type).getActualTypeArguments()[0];
  }

  static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> plain -> plain;
      case ParameterizedType parameterized -> (Class<?>) parameterized.getRawType();
      default -> throw new IllegalArgumentException("No component is a " + type);
    };
  }

  /** Whether a request must have it. */
  boolean isRequired() {
    return field == null
        ? !nullable
        : field.required() || (!nullable && field.otherwise().isEmpty());
  }
}
