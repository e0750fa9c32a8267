package io.actiongovernance.functions.contract;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of a type out of the values of their components. Thread-safe.
 *
 * @param <R> the type
 */
final class RecordMaker<R> {
  private final Constructor<R> constructor;

  private RecordMaker(Constructor<R> constructor) {
    this.constructor = constructor;
  }

  static <R> RecordMaker<R> of(Class<R> type) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new RecordMaker<>(constructor);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type + " is no record.", e);
    }
  }

  /** The record; what its constructor throws is thrown. */
  R make(List<@Nullable Object> values) {
    try {
      return constructor.newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(constructor + " cannot be called.", e);
    }
  }
}
