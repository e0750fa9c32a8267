package io.actiongovernance.json;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a change says of a field: nothing, that it has no value any more, or a value. Immutable.
 *
 * @param <T> the value's type
 */
public sealed interface Given<T> {
  /** The field is left out: it keeps its value. */
  record Absent<T>() implements Given<T> {}

  /** The field is null: it loses its value. */
  record Null<T>() implements Given<T> {}

  /** The field has a value. */
  record Value<T>(T value) implements Given<T> {}

  static <T> Given<T> absent() {
    return new Absent<>();
  }

  /** A value, or that there is to be none. */
  static <T> Given<T> of(@Nullable T value) {
    return value == null ? new Null<>() : new Value<>(value);
  }

  /** Whether the field is there, null or not. */
  default boolean isSaid() {
    return !(this instanceof Absent);
  }

  /** The value, or null if there is none. */
  default @Nullable T orNull() {
    return this instanceof Value<T>(T value) ? value : null;
  }

  /** What the field is after the change. */
  default @Nullable T orKeep(@Nullable T old) {
    return isSaid() ? orNull() : old;
  }

  /** The same of what the function makes of the value. */
  default <R> Given<R> map(Function<? super T, ? extends R> function) {
    return switch (this) {
      case Absent<T> _ -> new Absent<>();
      case Null<T> _ -> new Null<>();
      case Value<T>(T value) -> new Value<>(function.apply(value));
    };
  }
}
