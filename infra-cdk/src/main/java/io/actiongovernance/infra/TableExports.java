package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.allow;

import io.actiongovernance.json.Json;
import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.CfnRole;
import software.amazon.awscdk.services.s3.CfnBucket;
import software.amazon.awscdk.services.scheduler.CfnSchedule;
import software.amazon.awscdk.services.stepfunctions.CfnStateMachine;

/**
 * Exports of the tables that can be restored to any second: each day's changes, and once a month
 * everything. Nobody can delete the bucket's files before their retention ends. DynamoDB makes the
 * exports; a state machine starts them, and fails if one of them fails.
 */
final class TableExports {
  /**
   * The longest time between two full exports in days. Files are kept at least that much longer, so
   * that a full export precedes each kept day.
   */
  private static final int LONGEST_MONTH = 31;

  private static final String ROLE = "table-exports";

  /**
   * An export ends at the midnight that begins the day for which it is started. Starting the
   * machine twice for one instant exports once. Starting it for another instant of that day exports
   * again, which helps after a failure.
   */
  private static final String DEFINITION =
      """
      {
        "Comment": "Starts an export of each table, and waits until all are there.",
        "QueryLanguage": "JSONata",
        "StartAt": "Tables",
        "States": {
          "Tables": {
            "Type": "Map",
            "Items": "{% [${Tables}] %}",
            "ItemSelector": {
              "table": "{% $states.context.Map.Item.Value %}",
              "name": "{% $split($states.context.Map.Item.Value, '/')[1] %}",
              "full": "{% $states.input.full %}",
              "at": "{% $states.input.at %}",
              "day": "{% $substring($states.input.at, 0, 10) %}"
            },
            "ItemProcessor": {
              "ProcessorConfig": {"Mode": "INLINE"},
              "StartAt": "Everything or changes",
              "States": {
                "Everything or changes": {
                  "Type": "Choice",
                  "Choices": [{"Condition": "{% $states.input.full %}", "Next": "Export everything"}],
                  "Default": "Export changes"
                },
                "Export everything": {
                  "Type": "Task",
                  "Resource": "arn:${Partition}:states:::aws-sdk:dynamodb:exportTableToPointInTime",
                  "Arguments": {
                    "TableArn": "{% $states.input.table %}",
                    "ClientToken": "{% $states.input.at & '-full-' & $states.input.name %}",
                    "ExportFormat": "DYNAMODB_JSON",
                    "ExportType": "FULL_EXPORT",
                    "ExportTime": "{% $states.input.day & 'T00:00:00Z' %}",
                    "S3Bucket": "${Bucket}",
                    "S3Prefix": "{% $states.input.name & '/full/' & $states.input.day %}"
                  },
                  "Output": {"export": "{% $states.result.ExportDescription.ExportArn %}"},
                  "Retry": [${Retry}],
                  "Next": "Wait"
                },
                "Export changes": {
                  "Type": "Task",
                  "Resource": "arn:${Partition}:states:::aws-sdk:dynamodb:exportTableToPointInTime",
                  "Arguments": {
                    "TableArn": "{% $states.input.table %}",
                    "ClientToken": "{% $states.input.at & '-changes-' & $states.input.name %}",
                    "ExportFormat": "DYNAMODB_JSON",
                    "ExportType": "INCREMENTAL_EXPORT",
                    "IncrementalExportSpecification": {
                      "ExportFromTime":
                        "{% $fromMillis($toMillis($states.input.day & 'T00:00:00Z') - 86400000) %}",
                      "ExportToTime": "{% $states.input.day & 'T00:00:00Z' %}",
                      "ExportViewType": "NEW_IMAGE"
                    },
                    "S3Bucket": "${Bucket}",
                    "S3Prefix": "{% $states.input.name & '/changes/' & $states.input.day %}"
                  },
                  "Output": {"export": "{% $states.result.ExportDescription.ExportArn %}"},
                  "Retry": [${Retry}],
                  "Next": "Wait"
                },
                "Wait": {"Type": "Wait", "Seconds": 300, "Next": "Look"},
                "Look": {
                  "Type": "Task",
                  "Resource": "arn:${Partition}:states:::aws-sdk:dynamodb:describeExport",
                  "Arguments": {"ExportArn": "{% $states.input.export %}"},
                  "Output": {
                    "export": "{% $states.input.export %}",
                    "status": "{% $states.result.ExportDescription.ExportStatus %}"
                  },
                  "Retry": [${Retry}],
                  "Next": "Is it there"
                },
                "Is it there": {
                  "Type": "Choice",
                  "Choices": [
                    {"Condition": "{% $states.input.status = 'COMPLETED' %}", "Next": "Exported"},
                    {"Condition": "{% $states.input.status = 'FAILED' %}", "Next": "Not exported"}
                  ],
                  "Default": "Wait"
                },
                "Exported": {"Type": "Succeed"},
                "Not exported": {"Type": "Fail", "Error": "ExportFailed", "Cause": "{% $states.input.export %}"}
              }
            },
            "End": true
          }
        }
      }
      """;

  /** Retries for over an hour, to outlast outages of DynamoDB and too many exports at once. */
  private static final String RETRY =
      """
      {"ErrorEquals": ["States.ALL"], "IntervalSeconds": 60, "BackoffRate": 2, "MaxAttempts": 6}""";

  private final Stack stack;
  private final Names names;
  private final boolean traced;
  private final List<String> tables;

  private TableExports(Stack stack, Environment environment) {
    this.stack = stack;
    this.names = new Names(environment);
    this.traced = environment.traced();
    this.tables =
        Arrays.stream(Table.values()).filter(Table::keptForGood).map(names::tableArn).toList();
  }

  /**
   * Returns whether the environment exports its tables, which it does if it keeps them and has a
   * backup.
   */
  static boolean has(Environment environment) {
    return environment.backup() != null && environment.keepsData();
  }

  static void make(Stack stack, Environment environment, Backup backup) {
    new TableExports(stack, environment).make(backup);
  }

  private void make(Backup backup) {
    CfnBucket bucket = bucket(backup.keepDays() + LONGEST_MONTH);
    CfnStateMachine machine = machine(bucket);
    CfnRole starter =
        role(
            "Starter",
            "scheduler.amazonaws.com",
            List.of(
                allow(
                    "StartExports",
                    List.of("states:StartExecution"),
                    List.of(machine.getAttrArn()))));
    schedule("daily", "cron(20 0 * * ? *)", false, machine, starter);
    schedule("monthly", "cron(40 0 1 * ? *)", true, machine, starter);
  }

  private CfnBucket bucket(int days) {
    CfnBucket bucket =
        ExportsBucket.builder(stack, "TableExports", names.tablesBucket())
            .versioningConfiguration(
                CfnBucket.VersioningConfigurationProperty.builder().status("Enabled").build())
            .objectLockEnabled(true)
            .objectLockConfiguration(
                CfnBucket.ObjectLockConfigurationProperty.builder()
                    .objectLockEnabled("Enabled")
                    .rule(
                        CfnBucket.ObjectLockRuleProperty.builder()
                            .defaultRetention(
                                CfnBucket.DefaultRetentionProperty.builder()
                                    .mode("GOVERNANCE")
                                    .days(days)
                                    .build())
                            .build())
                    .build())
            .lifecycleConfiguration(
                CfnBucket.LifecycleConfigurationProperty.builder()
                    .rules(
                        List.of(
                            ExportsBucket.expiring("expire", days)
                                .noncurrentVersionExpiration(
                                    CfnBucket.NoncurrentVersionExpirationProperty.builder()
                                        .noncurrentDays(1)
                                        .build())
                                .build()))
                    .build())
            .build();
    bucket.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    Reasons.give(
        bucket,
        "AwsSolutions-S1",
        "DynamoDB alone writes it; who reads it is in CloudTrail, where the account logs that.");
    ExportsBucket.encryptedOnly(stack, "TableExportsPolicy", bucket);
    return bucket;
  }

  private CfnStateMachine machine(CfnBucket bucket) {
    Map<String, Object> look =
        allow(
            Inexact.LOOK_AT_TABLE_EXPORTS.sid(),
            List.of("dynamodb:DescribeExport"),
            tables.stream().map(arn -> arn + "/export/*").toList());
    Map<String, Object> put =
        allow(
            Inexact.PUT_TABLE_EXPORTS.sid(),
            List.of("s3:AbortMultipartUpload", "s3:PutObject", "s3:PutObjectAcl"),
            List.of(names.tablesBucketArn() + "/*"));
    Map<String, Object> export =
        allow("ExportTables", List.of("dynamodb:ExportTableToPointInTime"), tables);
    CfnRole role =
        role(
            "",
            "states.amazonaws.com",
            traced ? List.of(export, look, put, Statements.trace()) : List.of(export, look, put));
    Inexact.LOOK_AT_TABLE_EXPORTS.giveReason(role);
    Inexact.PUT_TABLE_EXPORTS.giveReason(role);
    if (traced) {
      Inexact.TRACE.giveReason(role);
    }
    CfnStateMachine machine =
        CfnStateMachine.Builder.create(stack, "TableExportsMachine")
            .stateMachineName(names.tableExports())
            .stateMachineType("STANDARD")
            .definitionString(DEFINITION.replace("${Retry}", RETRY))
            .definitionSubstitutions(
                Map.of(
                    "Bucket",
                    bucket.getRef(),
                    "Partition",
                    Aws.PARTITION,
                    "Tables",
                    tables.stream().collect(Collectors.joining("','", "'", "'"))))
            .roleArn(role.getAttrArn())
            .tracingConfiguration(
                CfnStateMachine.TracingConfigurationProperty.builder().enabled(traced).build())
            .build();
    TimerMachines.giveReasons(machine, traced);
    return machine;
  }

  private CfnRole role(String part, String service, List<Map<String, Object>> statements) {
    return CfnRole.Builder.create(stack, "TableExports" + part + "Role")
        .roleName(names.role(part.isEmpty() ? ROLE : ROLE + "-start"))
        .assumeRolePolicyDocument(Statements.assumedBy(service))
        .policies(
            List.of(
                CfnRole.PolicyProperty.builder()
                    .policyName("needs")
                    .policyDocument(Statements.document(statements))
                    .build()))
        .build();
  }

  private void schedule(
      String name, String when, boolean full, CfnStateMachine machine, CfnRole starter) {
    CfnSchedule.Builder.create(stack, "TableExports" + Names.logical(name))
        .name(names.tableExports() + "-" + name)
        .scheduleExpression(when)
        .flexibleTimeWindow(CfnSchedule.FlexibleTimeWindowProperty.builder().mode("OFF").build())
        .target(
            CfnSchedule.TargetProperty.builder()
                .arn(machine.getAttrArn())
                .roleArn(starter.getAttrArn())
                .input(
                    Json.write(
                        Json.object()
                            .put("full", full)
                            .put("at", "<aws.scheduler.scheduled-time>")))
                .build())
        .build();
  }
}
