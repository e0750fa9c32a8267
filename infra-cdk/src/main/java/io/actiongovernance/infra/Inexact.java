package io.actiongovernance.infra;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import software.constructs.IConstruct;

/**
 * Policy statements whose resources cannot all be named, each with the reason. There are no other
 * such statements.
 */
enum Inexact {
  OWN_LOGS("arn:<AWS::Partition>:logs:", "The runtime names the streams of the function's log."),
  LIST_STREAMS("\\*$", "Which streams there are is asked of no resource: IAM knows only *."),
  TRACE("\\*$", "X-Ray takes segments for no resource: IAM knows only *."),
  READ_EXPORTS("arn:<AWS::Partition>:s3:", "The files of exports are named as they are made."),
  WRITE_EXPORTS("arn:<AWS::Partition>:s3:", "The files of exports are named as they are made."),
  READ_RESULT_FILES("arn:<AWS::Partition>:s3:", "The files of results are named as they are made."),
  WRITE_RESULT_FILES(
      "arn:<AWS::Partition>:s3:", "The files of results are named as they are made."),
  PUT_FAILED_CHANGES(
      "arn:<AWS::Partition>:s3:", "Lambda names the changes that it gives up as it puts them."),
  GIVE_UP_CHANGES(
      "arn:<AWS::Partition>:s3:", "The changes that a relay gives up are named by the stream."),
  READ_TRIES(
      "arn:<AWS::Partition>:s3:", "The changes that a relay gives up are named by the stream."),
  READ_GIVEN_UP(
      "arn:<AWS::Partition>:s3:", "Lambda names the changes that it gives up as it puts them."),
  PUT_TABLE_EXPORTS(
      "arn:<AWS::Partition>:s3:", "DynamoDB names the files of an export as it makes them."),
  LOOK_AT_TABLE_EXPORTS(
      "arn:<AWS::Partition>:dynamodb:", "DynamoDB names exports as they are started."),
  KEEP_AWAKE(
      "arn:<AWS::Partition>:lambda:",
      "Each function is kept awake, and named they are more than a policy holds; one is denied."),
  WATCH_ALARMS("\\*$", "CodeDeploy asks about several alarms at once: no resource is named."),
  MOVE_ALIASES("arn:<AWS::Partition>:lambda:", "Versions get their numbers as they are published."),
  STOP_PLAN_EXPIRY("arn:<AWS::Partition>:states:", "Executions are named after their timers."),
  STOP_WEBHOOK_RETRY("arn:<AWS::Partition>:states:", "Executions are named after their timers.");

  private final String resource;
  private final String reason;

  Inexact(String resource, String reason) {
    this.resource = resource;
    this.reason = reason;
  }

  /** The statement's identifier, such as {@code OwnLogs}. */
  String sid() {
    return Names.logical(name().toLowerCase(Locale.ROOT));
  }

  /** The constant for the statement; empty if there is none. */
  static Optional<Inexact> of(Map<String, Object> statement) {
    return Arrays.stream(values())
        .filter(inexact -> inexact.sid().equals(statement.get("Sid")))
        .findFirst();
  }

  /** Attaches the reason to the role that has such a statement. */
  void giveReason(IConstruct role) {
    Reasons.giveForWildcard(role, resource, reason);
  }
}
