package io.actiongovernance.infra;

import io.actiongovernance.functions.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.constructs.Node;

/**
 * The settings of functions that an environment's file and the command line may specify, by the
 * settings' own names: {@code -c GOVERNANCE_STREAM_MAX_SECONDS=600}. The deployment sets the
 * others.
 */
final class FunctionSettings {
  static final List<String> NAMES =
      List.of(
          Settings.DATA_KEYS,
          "GOVERNANCE_EGRESS_ALLOW",
          "GOVERNANCE_ISSUER_SECONDS",
          "GOVERNANCE_MCP_ORIGINS",
          Settings.MODEL_CALLS_PER_HOUR,
          Settings.OTLP_ENDPOINT,
          "GOVERNANCE_PASSKEY_SETTLE_SECONDS",
          "GOVERNANCE_POLICY_EDITOR_SECONDS",
          "GOVERNANCE_RESULT_SECONDS",
          "GOVERNANCE_ROTATE_OVERLAP_SECONDS",
          "GOVERNANCE_SESSION_IDLE_SECONDS",
          "GOVERNANCE_SESSION_SECONDS",
          "GOVERNANCE_STREAM_MAX_SECONDS",
          "GOVERNANCE_TELL_EVERYTHING",
          "GOVERNANCE_UNAUTHENTICATED_PER_MINUTE",
          "GOVERNANCE_WAIT_SLOTS",
          "GOVERNANCE_WEBHOOK_RETRY_SECONDS");

  private FunctionSettings() {}

  /**
   * The settings that the command line specifies.
   *
   * @throws IllegalArgumentException if no function could start with them
   */
  static Map<String, String> of(Node app) {
    Map<String, String> given = new TreeMap<>();
    for (String name : NAMES) {
      if (app.tryGetContext(name) instanceof String value) {
        given.put(name, value);
      }
    }
    return checked(given);
  }

  /**
   * Returns the settings, if functions can start with each of them.
   *
   * @throws IllegalArgumentException if functions could not start with a setting; the message names
   *     the first such setting
   */
  static Map<String, String> checked(Map<String, String> settings) {
    settings.forEach(
        (name, value) -> {
          try {
            Settings.of(Map.of(Settings.MASTER_KEY, Settings.NO_MASTER_KEY, name, value));
          } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                "The setting " + name + " has an invalid value: " + value, e);
          }
        });
    return settings;
  }
}
