package io.actiongovernance.localstack.lambda;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The functions of the stack by name. Thread-safe. */
public final class Functions {
  private final Map<String, Lambda> byName = new ConcurrentHashMap<>();

  public Lambda add(Lambda function) {
    if (byName.putIfAbsent(function.name(), function) != null) {
      throw new IllegalArgumentException("Two functions have the name " + function.name() + ".");
    }
    return function;
  }

  /** Removes a function; callers that found it before may still invoke it. */
  public void remove(String name) {
    byName.remove(name);
  }

  public Optional<Lambda> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }
}
