package io.actiongovernance.localstack.aws;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A bell for each table or queue, by its name. Thread-safe. */
final class Bells {
  private final Map<String, Bell> bells = new ConcurrentHashMap<>();

  Bell of(String name) {
    return bells.computeIfAbsent(name, _ -> new Bell());
  }
}
