package io.actiongovernance.localstack.aws;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The bells of tables or queues, by name. Thread-safe. */
final class Bells {
  private final Map<String, Bell> bells = new ConcurrentHashMap<>();

  Bell of(String name) {
    return bells.computeIfAbsent(name, _ -> new Bell());
  }
}
