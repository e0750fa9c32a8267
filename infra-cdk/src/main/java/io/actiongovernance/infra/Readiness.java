package io.actiongovernance.infra;

import java.util.List;

/**
 * How a deployment watches over itself.
 *
 * @param awake how many instances of each function of the {@link EmergencyStop} are always ready
 * @param gradual whether the functions of {@link Rollout} get another version little by little
 * @param canary whether an action of the sandbox is governed from end to end each minute
 * @param reports the functions of which Lambda logs each run, with its memory and how long a
 *     snapshot took to restore; without their prefix
 */
record Readiness(int awake, boolean gradual, boolean canary, List<String> reports) {
  /** Each line is paid. */
  static final int MOST_REPORTS = 3;

  Readiness {
    reports = List.copyOf(reports);
  }
}
