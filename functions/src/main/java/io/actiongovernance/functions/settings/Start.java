package io.actiongovernance.functions.settings;

import java.util.Map;

/** For what Lambda starts a function's process, as it tells the process. */
public enum Start {
  /** A request that waits for it. Lambda gives the start ten seconds. */
  ON_DEMAND,
  /** Provisioned concurrency: the process is ready before a request comes. */
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

  /** Whether no request waits for the start, which then has two minutes and more. */
  public boolean isAhead() {
    return this != ON_DEMAND;
  }
}
