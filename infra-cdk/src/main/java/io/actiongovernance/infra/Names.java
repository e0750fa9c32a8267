package io.actiongovernance.infra;

import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.infra.rollback.PublishedVersions;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.time.TimerKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awscdk.Aws;

/**
 * The names and ARNs of a deployment. Everything that a function or a policy speaks of has a fixed
 * name, so that stacks need not import it from each other.
 *
 * @param prefix what the names begin with
 * @param tables the names of its tables
 * @param lean whether one function answers all routes, and none has an alias
 */
record Names(String prefix, TableNames tables, boolean lean) {
  /** The alias of every function that has one: what callers invoke, whichever version that is. */
  static final String ALIAS = PublishedVersions.LIVE;

  Names(Environment environment) {
    this(environment.prefix(), environment.tables(), environment.isLean());
  }

  /** The function of the name: {@code governance-dev-approve-plan}. */
  String function(String name) {
    return prefix + "-" + name;
  }

  /** What a route's function is called, without the prefix. */
  String ofRoute(String operation) {
    return lean ? RoutesStack.ALL : operation;
  }

  /** Roles are of the account, not of the region. */
  String role(String function) {
    return function(function) + "-" + Aws.REGION;
  }

  String logGroup(String function) {
    return "/aws/lambda/" + function(function);
  }

  String functionArn(String name) {
    return regional("lambda", "function:" + function(name));
  }

  /** The function as it is invoked. */
  String invokedArn(String name) {
    return regional("lambda", "function:" + invoked(name));
  }

  /** The same by its name alone. */
  String invoked(String name) {
    return lean ? function(name) : function(name) + ":" + ALIAS;
  }

  String roleArn(String function) {
    return "arn:%s:iam::%s:role/%s".formatted(Aws.PARTITION, Aws.ACCOUNT_ID, role(function));
  }

  String tableArn(Table table) {
    return tableArn(tables.of(table));
  }

  /** The table of the name. */
  static String tableArn(String name) {
    return regional("dynamodb", "table/" + name);
  }

  /** The table and each of its indexes, by name. */
  List<String> readableArns(Table table) {
    return Stream.concat(
            Stream.of(tableArn(table)),
            table.indexes().stream()
                .map(Index::hash)
                .map(index -> tableArn(table) + "/index/" + index))
        .toList();
  }

  /** The alias of the key of KMS that data keys are wrapped under. */
  String aliasOfDataKeys() {
    return "alias/" + prefix + "-data-keys";
  }

  /** Buckets are of the whole world. */
  String exportsBucket() {
    return "%s-exports-%s-%s".formatted(prefix, Aws.ACCOUNT_ID, Aws.REGION);
  }

  String exportsBucketArn() {
    return "arn:%s:s3:::%s".formatted(Aws.PARTITION, exportsBucket());
  }

  String changesBucket() {
    return "%s-changes-%s-%s".formatted(prefix, Aws.ACCOUNT_ID, Aws.REGION);
  }

  String changesBucketArn() {
    return "arn:%s:s3:::%s".formatted(Aws.PARTITION, changesBucket());
  }

  /** The bucket of exports of whole tables. */
  String tablesBucket() {
    return "%s-tables-%s-%s".formatted(prefix, Aws.ACCOUNT_ID, Aws.REGION);
  }

  String tablesBucketArn() {
    return "arn:%s:s3:::%s".formatted(Aws.PARTITION, tablesBucket());
  }

  /** The state machine that exports them. */
  String tableExports() {
    return prefix + "-table-exports";
  }

  String queueArn(DeployedQueue queue) {
    return regional("sqs", queue.wireName(prefix));
  }

  String deadLetterArn(DeployedQueue queue) {
    return regional("sqs", queue.deadLetterName(prefix));
  }

  String busArn() {
    return regional("events", "event-bus/" + FactRule.busName(prefix));
  }

  String ruleArn(FactRule rule) {
    return regional("events", "rule/" + FactRule.busName(prefix) + "/" + rule.wireName(prefix));
  }

  /** The topic of the alarms that wake somebody. */
  String pageTopic() {
    return prefix + "-pages";
  }

  /** The topic of all other alarms. */
  String ticketTopic() {
    return prefix + "-tickets";
  }

  /** What the ARNs of the state machines begin with, up to their names. */
  static String stateMachines() {
    return regional("states", "stateMachine:");
  }

  String stateMachineArn(TimerKind kind) {
    return stateMachines() + kind.wireName(prefix);
  }

  /** All executions of a state machine: each has the name of its timer. */
  String executionsArn(TimerKind kind) {
    return regional("states", "execution:" + kind.wireName(prefix) + ":*");
  }

  String logStreamsArn(String function) {
    return regional("logs", "log-group:" + logGroup(function) + ":*");
  }

  /** A model of Bedrock: one of the region by its identifier, or whatever the ARN says. */
  static String modelArn(String model) {
    return model.startsWith("arn:")
        ? model
        : "arn:%s:bedrock:%s::foundation-model/%s".formatted(Aws.PARTITION, Aws.REGION, model);
  }

  static String regional(String service, String resource) {
    return "arn:%s:%s:%s:%s:%s"
        .formatted(Aws.PARTITION, service, Aws.REGION, Aws.ACCOUNT_ID, resource);
  }

  /** A name as part of a logical identifier: {@code approve-plan} is {@code ApprovePlan}. */
  static String logical(String name) {
    return Arrays.stream(name.split("[^A-Za-z0-9]+"))
        .filter(word -> !word.isEmpty())
        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
        .collect(Collectors.joining());
  }
}
