package io.actiongovernance.functions.settings;

import java.util.Map;

/** The reason for which Lambda starts a function's process, as Lambda states it. */
public enum Start {
  /** A request waits for the process. Lambda gives the start ten seconds. */
  ON_DEMAND,
  /** Provisioned concurrency: the process is ready before a request arrives. */
  PROVISIONED,
  /** A snapshot (SnapStart), from which other processes are restored. */
  SNAPSHOT;

  /**
   * @param environment the function's variables
   */
  public static Start of(Map<String, String> environment) {
    return switch (environment.getOrDefault("AWS_LAMBDA_INITIALIZATION_TYPE", "")) {
      case "snap-start" -> SNAPSHOT;
      case "provisioned-concurrency" -> PROVISIONED;
      default -> ON_DEMAND;
    };
  }

  /** Returns whether no request waits for the start, which may then take two minutes or longer. */
  public boolean isAhead() {
    return this != ON_DEMAND;
  }
}
