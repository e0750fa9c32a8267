package io.actiongovernance.json;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The statement that a change makes about a field: absent, null, or a value. Immutable. */
public sealed interface Given<T> {
  /** The field is absent: it keeps its value. */
  record Absent<T>() implements Given<T> {}

  /** The field is null: it loses its value. */
  record Null<T>() implements Given<T> {}

  record Value<T>(T value) implements Given<T> {}

  static <T> Given<T> absent() {
    return new Absent<>();
  }

  static <T> Given<T> of(@Nullable T value) {
    return value == null ? new Null<>() : new Value<>(value);
  }

  /** Returns whether the field is present, with a value or null. */
  default boolean isSaid() {
    return !(this instanceof Absent);
  }

  /** Returns the value, or null if there is none. */
  default @Nullable T orNull() {
    return this instanceof Value<T>(T value) ? value : null;
  }

  /** Returns the field's value after the change. */
  default @Nullable T orKeep(@Nullable T old) {
    return isSaid() ? orNull() : old;
  }

  /** Applies the function to the value, if there is one. */
  default <R> Given<R> map(Function<? super T, ? extends R> function) {
    return switch (this) {
      case Absent<T> _ -> new Absent<>();
      case Null<T> _ -> new Null<>();
      case Value<T>(T value) -> new Value<>(function.apply(value));
    };
  }
}
