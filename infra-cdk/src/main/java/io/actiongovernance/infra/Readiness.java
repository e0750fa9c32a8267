package io.actiongovernance.infra;

/**
 * How a deployment watches over itself.
 *
 * @param awake how many instances of each function of the {@link EmergencyStop} are always ready
 * @param gradual whether the functions of {@link Rollout} get another version little by little
 * @param canary whether an action of the sandbox is governed from end to end each minute
 */
record Readiness(int awake, boolean gradual, boolean canary) {}
