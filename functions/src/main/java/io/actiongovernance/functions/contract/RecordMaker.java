package io.actiongovernance.functions.contract;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of a type from the values of their components. Thread-safe.
 *
 * @param <R> the record type
 */
final class RecordMaker<R> {
  private final Constructor<R> constructor;

  /**
   * Functions that take each component from the values: a single value, or all values of an
   * unwrapped record.
   */
  private final List<Function<Iterator<@Nullable Object>, @Nullable Object>> components;

  private RecordMaker(Constructor<R> constructor, Class<R> type) {
    this.constructor = constructor;
    this.components =
        Arrays.stream(type.getRecordComponents()).map(RecordMaker::component).toList();
  }

  private static Function<Iterator<@Nullable Object>, @Nullable Object> component(
      RecordComponent component) {
    return Part.isUnwrapped(component) ? of(component.getType())::make : Iterator::next;
  }

  static <R> RecordMaker<R> of(Class<R> type) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return new RecordMaker<>(constructor, type);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type + " is not a record.", e);
    }
  }

  /**
   * Makes a record from the values of its {@link Part}s. Exceptions of its constructor are thrown
   * unchanged.
   */
  R make(List<@Nullable Object> values) {
    return make(values.iterator());
  }

  private R make(Iterator<@Nullable Object> values) {
    Object[] own = components.stream().map(component -> component.apply(values)).toArray();
    try {
      return constructor.newInstance(own);
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
