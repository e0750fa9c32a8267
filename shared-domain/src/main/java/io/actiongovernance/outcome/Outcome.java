package io.actiongovernance.outcome;

import java.util.function.Function;

/**
 * Outcome of a use case: done or refused. A fault of the service is an exception instead.
 *
 * @param <T> the result if done
 */
public sealed interface Outcome<T> permits Done, Refused {
  static <T> Outcome<T> done(T value) {
    return new Done<>(value);
  }

  static <T> Outcome<T> refused(Refusal refusal) {
    return new Refused<>(refusal);
  }

  default <R> Outcome<R> map(Function<? super T, ? extends R> function) {
    return switch (this) {
      case Done<T>(T value) -> new Done<>(function.apply(value));
      case Refused<T>(Refusal refusal) -> new Refused<>(refusal);
    };
  }

  /** Returns the function's outcome for the value, or this refusal. */
  default <R> Outcome<R> then(Function<? super T, Outcome<R>> function) {
    return switch (this) {
      case Done<T>(T value) -> function.apply(value);
      case Refused<T>(Refusal refusal) -> new Refused<>(refusal);
    };
  }
}
