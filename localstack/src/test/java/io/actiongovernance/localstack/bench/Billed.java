package io.actiongovernance.localstack.bench;

import java.util.Locale;

/** What AWS takes money for. */
enum Billed {
  API_REQUEST,
  FIREWALL_REQUEST,
  FUNCTION_REQUEST,
  FUNCTION_GB_SECOND,
  READ_UNIT,
  WRITE_UNIT,
  QUEUE_REQUEST,
  BUS_EVENT,
  STATE_TRANSITION,
  KEY_REQUEST,
  LOG_KILOBYTE;

  /** As the files of prices and patterns call it. */
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Billed parse(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT));
  }
}
