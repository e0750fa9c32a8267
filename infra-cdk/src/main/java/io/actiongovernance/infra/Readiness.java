package io.actiongovernance.infra;

import java.util.List;

/**
 * A deployment's self-monitoring.
 *
 * @param awake number of instances of each {@link EmergencyStop} function that are always ready
 * @param gradual whether the functions of {@link Rollout} receive a new version gradually
 * @param canary whether a sandbox action is governed from end to end each minute
 * @param reports the functions, without prefix, whose single runs Lambda logs, with their memory
 *     and the time to restore a snapshot
 */
record Readiness(int awake, boolean gradual, boolean canary, List<String> reports) {
  /** The most functions with reports, because each logged line costs money. */
  static final int MOST_REPORTS = 3;

  Readiness {
    reports = List.copyOf(reports);
  }
}
