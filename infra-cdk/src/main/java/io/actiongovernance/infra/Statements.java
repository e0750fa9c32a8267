package io.actiongovernance.infra;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.rights.Right;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.rights.TableAccess;
import io.actiongovernance.functions.trigger.FailedChanges;
import io.actiongovernance.result.Results;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The statements of a role's policy for a function's rights. Immutable. */
final class Statements {
  static final String LEADING_KEYS = "dynamodb:LeadingKeys";

  /**
   * The most resources of a statement in a role's inline policies, which have at most 10,240
   * characters in all.
   */
  private static final int MOST_INLINE = 8;

  /** The most resources of a statement in a managed policy, which has at most 6,144 characters. */
  private static final int MOST_MANAGED = 32;

  private final Names names;
  private final List<String> models;
  private final int queues;

  Statements(Environment environment) {
    this.names = new Names(environment);
    this.models = environment.models();
    this.queues = environment.queues();
  }

  /** Permits sending data to X-Ray, which cannot be limited to a resource. */
  static Map<String, Object> trace() {
    return allow(
        Inexact.TRACE.sid(),
        List.of(
            "xray:PutTraceSegments",
            "xray:PutTelemetryRecords",
            "xray:GetSamplingRules",
            "xray:GetSamplingTargets"),
        List.of("*"));
  }

  static Map<String, Object> document(List<Map<String, Object>> statements) {
    return ordered("Version", "2012-10-17", "Statement", statements);
  }

  /** A trust policy that lets only this AWS service assume the role. */
  static Map<String, Object> assumedBy(String service) {
    return document(
        List.of(
            ordered(
                "Effect", "Allow",
                "Principal", Map.of("Service", service),
                "Action", "sts:AssumeRole")));
  }

  static Map<String, Object> allow(String sid, List<String> actions, List<String> resources) {
    return ordered("Sid", sid, "Effect", "Allow", "Action", actions, "Resource", resources);
  }

  /**
   * Splits a statement that names more resources than an inline policy can hold into parts, each
   * for its own managed policy. Returns none for other statements. The environment determines the
   * number of queues and models in a statement.
   */
  static List<Map<String, Object>> apart(Map<String, Object> statement) {
    List<Map<String, Object>> parts = new ArrayList<>();
    if (statement.get("Resource") instanceof List<?> resources && resources.size() > MOST_INLINE) {
      for (int at = 0; at < resources.size(); at += MOST_MANAGED) {
        Map<String, Object> part = new LinkedHashMap<>(statement);
        part.put("Resource", resources.subList(at, Math.min(resources.size(), at + MOST_MANAGED)));
        parts.add(part);
      }
    }
    return parts;
  }

  /**
   * Denies everybody all requests without TLS.
   *
   * @param resource the ARN that the statement is about, or a list of ARNs
   */
  static Map<String, Object> encryptedOnly(String action, Object resource) {
    return ordered(
        "Sid",
        "EncryptedTransportOnly",
        "Effect",
        "Deny",
        "Principal",
        Map.of("AWS", "*"),
        "Action",
        action,
        "Resource",
        resource,
        "Condition",
        Map.of("Bool", Map.of("aws:SecureTransport", "false")));
  }

  /** The function's statements, except for sealing and opening ({@link SealingStatements}). */
  List<Map<String, Object>> of(String function, Rights rights) {
    List<Map<String, Object>> statements = new ArrayList<>();
    statements.add(
        allow(
            Inexact.OWN_LOGS.sid(),
            List.of("logs:CreateLogStream", "logs:PutLogEvents"),
            List.of(names.logStreamsArn(function))));
    rights.tables().forEach((table, operations) -> tables(statements, table, operations));
    if (rights.permit(Right.KNOW_CALLERS) && !rights.permit(TableAccess.READ, Table.STATE)) {
      statements.add(
          onItems(
              "KnowCallers",
              List.of("dynamodb:GetItem", "dynamodb:BatchGetItem"),
              names.tableArn(Table.STATE),
              Map.of(LEADING_KEYS, Right.ITEMS_OF_CALLERS)));
    }
    if (rights.permit(Right.NOTE_KEY_USE)) {
      // A key's last use is recorded only in the item of its secret's hash, and a session's only in
      // its own item.
      statements.add(
          onItems(
              "NoteKeyUse",
              "dynamodb:UpdateItem",
              Table.STATE,
              Map.of(
                  LEADING_KEYS,
                  List.of(Right.KEY_SECRETS + "*", "*" + Right.SESSIONS),
                  "dynamodb:Attributes",
                  Right.KEY_USE)));
    }
    if (rights.permit(Right.CHARGE_CALLERS)) {
      statements.add(
          onItems(
              "ChargeCallers",
              "dynamodb:UpdateItem",
              Table.LIMITS,
              Map.of(LEADING_KEYS, List.of("*" + Right.CALLERS))));
    }
    if (rights.permit(Right.CHARGE_ADDRESSES)) {
      statements.add(
          onItems(
              "ChargeAddresses",
              "dynamodb:UpdateItem",
              Table.LIMITS,
              Map.of(LEADING_KEYS, List.of(Right.ADDRESSES + "*"))));
    }
    if (rights.permit(Right.FIND_DESTINATIONS)) {
      statements.add(
          onItems(
              "FindEndpoints",
              "dynamodb:Query",
              Table.STATE,
              Map.of(LEADING_KEYS, Right.DESTINATIONS.stream().map(end -> "*" + end).toList())));
    }
    if (rights.permit(Right.MARK_HANDED_ON)) {
      statements.add(
          onItems(
              "MarkHandedOn",
              "dynamodb:UpdateItem",
              Table.EVENTS,
              Map.of(LEADING_KEYS, List.of("*" + Right.MARKS + "*"))));
    }
    if (rights.permit(Right.RECEIPT_CONFIG)) {
      statements.add(
          onItems(
              "ReceiptConfig",
              "dynamodb:PutItem",
              Table.RECEIPTS,
              Map.of(LEADING_KEYS, List.of("*" + Right.CONFIG_RECEIPTS))));
    }
    for (Queue queue : Queue.values()) {
      if (rights.sends().contains(queue)) {
        statements.add(
            allow(
                "Send" + Names.logical(queue.wireName("")).replace("Fifo", ""),
                List.of("sqs:SendMessage", "sqs:GetQueueUrl"),
                queue.deployed(queues).stream().map(names::queueArn).toList()));
      }
    }
    if (rights.permit(Right.READ_EXPORTS)) {
      statements.add(exports(Inexact.READ_EXPORTS.sid(), "s3:GetObject"));
    }
    if (rights.permit(Right.WRITE_EXPORTS)) {
      statements.add(
          exports(Inexact.WRITE_EXPORTS.sid(), "s3:PutObject", "s3:AbortMultipartUpload"));
    }
    if (rights.permit(Right.READ_RESULTS)) {
      statements.add(results(Inexact.READ_RESULT_FILES.sid(), "s3:GetObject"));
    }
    if (rights.permit(Right.WRITE_RESULTS)) {
      statements.add(results(Inexact.WRITE_RESULT_FILES.sid(), "s3:PutObject"));
    }
    if (rights.permit(Right.GIVE_UP_CHANGES)) {
      String bucket = names.changesBucketArn() + "/";
      statements.add(
          allow(
              Inexact.GIVE_UP_CHANGES.sid(),
              List.of("s3:PutObject"),
              List.of(bucket + FailedChanges.GIVEN_UP + "*", bucket + FailedChanges.TRIED + "*")));
      statements.add(
          allow(
              Inexact.READ_TRIES.sid(),
              List.of("s3:GetObject"),
              List.of(bucket + FailedChanges.TRIED + "*")));
    }
    if (rights.permit(Right.READ_GIVEN_UP)) {
      statements.add(
          allow(
              Inexact.READ_GIVEN_UP.sid(),
              List.of("s3:GetObject"),
              List.of(names.changesBucketArn() + "/*")));
    }
    for (TimerKind kind : TimerKind.values()) {
      if (rights.times().contains(kind)) {
        String name = Names.logical(kind.wire());
        statements.add(
            allow(
                "Start" + name,
                List.of("states:StartExecution"),
                List.of(names.stateMachineArn(kind))));
        statements.add(
            allow(
                "Stop" + name,
                List.of("states:StopExecution"),
                List.of(names.executionsArn(kind))));
      }
    }
    if (rights.permit(Right.PUBLISH)) {
      statements.add(allow("Publish", List.of("events:PutEvents"), List.of(names.busArn())));
    }
    if (rights.permit(Right.ASK_MODELS) && !models.isEmpty()) {
      statements.add(
          allow(
              "AskModels",
              List.of("bedrock:InvokeModel"),
              models.stream().map(Names::modelArn).toList()));
    }
    return statements;
  }

  private Map<String, Object> exports(String sid, String... actions) {
    return allow(sid, List.of(actions), List.of(names.exportsBucketArn() + "/*"));
  }

  private Map<String, Object> results(String sid, String action) {
    return allow(
        sid, List.of(action), List.of(names.exportsBucketArn() + "/" + Results.FOLDER + "*"));
  }

  private void tables(
      List<Map<String, Object>> statements, Table table, Set<TableAccess> operations) {
    String name = Names.logical(table.wireName(""));
    if (operations.contains(TableAccess.READ)) {
      statements.add(
          allow("Read" + name, actions(Set.of(TableAccess.READ)), names.readableArns(table)));
    }
    List<String> writing =
        actions(operations).stream()
            .filter(action -> !actions(Set.of(TableAccess.READ)).contains(action))
            .toList();
    if (!writing.isEmpty()) {
      statements.add(allow("Write" + name, writing, List.of(names.tableArn(table))));
    }
  }

  private static List<String> actions(Set<TableAccess> operations) {
    return operations.stream()
        .flatMap(operation -> operation.actions().stream())
        .map(action -> "dynamodb:" + action)
        .toList();
  }

  /**
   * Permits an action on some items of a table.
   *
   * @param limits the patterns of the items' partition keys, and of the attributes that the action
   *     touches
   */
  private Map<String, Object> onItems(
      String sid, String action, Table table, Map<String, List<String>> limits) {
    return onItems(sid, List.of(action), names.tableArn(table), limits);
  }

  static Map<String, Object> onItems(
      String sid, List<String> actions, String table, Map<String, List<String>> limits) {
    Map<String, Object> statement = allow(sid, actions, List.of(table));
    statement.put("Condition", Map.of("ForAllValues:StringLike", new TreeMap<>(limits)));
    return statement;
  }

  /** A map that keeps its order, so that the template keeps it too. */
  static Map<String, Object> ordered(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int at = 0; at < keysAndValues.length; at += 2) {
      map.put((String) keysAndValues[at], keysAndValues[at + 1]);
    }
    return map;
  }
}
