package io.actiongovernance.outcome;

import java.util.function.Function;

/**
 * What came of a use case: it did what was asked, or refused to. A fault of our own is neither, but
 * an exception.
 *
 * @param <T> what there is when it is done
 */
public sealed interface Outcome<T> permits Done, Refused {
  static <T> Outcome<T> done(T value) {
    return new Done<>(value);
  }

  static <T> Outcome<T> refused(Refusal refusal) {
    return new Refused<>(refusal);
  }

  /** The same outcome, of what the function makes of the value. */
  default <R> Outcome<R> map(Function<? super T, ? extends R> function) {
    return switch (this) {
      case Done<T>(T value) -> new Done<>(function.apply(value));
      case Refused<T>(Refusal refusal) -> new Refused<>(refusal);
    };
  }

  /** What the function makes of the value, or this refusal. */
  default <R> Outcome<R> then(Function<? super T, Outcome<R>> function) {
    return switch (this) {
      case Done<T>(T value) -> function.apply(value);
      case Refused<T>(Refusal refusal) -> new Refused<>(refusal);
    };
  }
}
