package io.actiongovernance.functions.aws;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A supplier that creates its value once, on first use. Thread-safe. */
public final class Once<T> implements Supplier<T> {
  private final Supplier<T> make;
  private @Nullable T made;

  private Once(Supplier<T> make) {
    this.make = make;
  }

  static <T> Once<T> of(Supplier<T> make) {
    return make instanceof Once<T> once ? once : new Once<>(make);
  }

  @Override
  public synchronized T get() {
    T thing = made;
    if (thing == null) {
      thing = make.get();
      made = thing;
    }
    return thing;
  }

  /** Passes the value to the consumer, if it has been created. */
  synchronized void ifMade(Consumer<T> use) {
    if (made != null) {
      use.accept(made);
    }
  }
}
