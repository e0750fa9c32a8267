package io.actiongovernance.infra;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The alarms that page a person: either customers wait for something that does not progress, or
 * nobody knows what was done. All other alarms are tickets, which can wait for the morning.
 */
enum Page {
  API_FAULTS(
      "api-faults",
      "Find the routes that return 5xx in the access log; function_request_id leads to the log with the cause."),
  SLOW_APPROVALS(
      "slow-approvals",
      "Check whether waiting-actions is on too. If not, find the slow source system in the executor's log."),
  ACTIONS_UNKNOWN(
      "actions-unknown",
      "If a new version was just deployed, roll it back. Otherwise, find the source system that does not respond."),
  OLDEST_DUE(
      "oldest-due",
      "Read the logs of sweep, sweep-deliveries and run-due-operators: one of them fails or is throttled."),
  CANARY(
      "canary", "Read the last lines of the canary's log. They name the step at which it stopped."),
  STUCK_PLANS(
      "stuck-plans",
      "Find the plan_id in the log of sweep. If sweep logged nothing for five minutes, find out why look-for-due does not run."),
  WAITING_ACTIONS(
      "waiting-actions(-[0-9]+)?",
      "Compare the executor's ConcurrentExecutions with its reserve. Raise the reserve, or halt the slow connector."),
  WAITING_PROPOSALS(
      "waiting-proposals", "Read the log of propose: the model is slow or refuses requests."),
  LAG(
      "lag-relay-(state|events)",
      "Read the relay's log. It names the bus, queue or table that refuses the relayed changes."),
  THROTTLES(
      "throttles",
      "Find the function that uses up the account's quota (ConcurrentExecutions by function), then ask AWS for more.");

  private final Pattern names;
  private final String firstStep;

  Page(String names, String firstStep) {
    this.names = Pattern.compile(names);
    this.firstStep = firstStep;
  }

  /** The first step to take, in a sentence. */
  String firstStep() {
    return firstStep;
  }

  /** The page for an alarm; empty if the alarm does not page a person. */
  static Optional<Page> of(String alarm) {
    return Arrays.stream(values()).filter(page -> page.names.matcher(alarm).matches()).findFirst();
  }
}
