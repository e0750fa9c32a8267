package io.actiongovernance.localstack.states;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The state machines of the stack by name. Thread-safe. */
public final class StepFunctions {
  private final Map<String, MachineRunner> byName = new ConcurrentHashMap<>();

  public void add(String name, MachineRunner machine) {
    if (byName.putIfAbsent(name, machine) != null) {
      throw new IllegalArgumentException("Two state machines have the name " + name + ".");
    }
  }

  public Optional<MachineRunner> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }
}
