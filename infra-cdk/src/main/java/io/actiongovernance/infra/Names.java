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
 * The names and ARNs of a deployment. Everything that functions or policies refer to has a fixed
 * name, so that stacks need not import it from each other.
 *
 * @param prefix the prefix of the names
 * @param tables the names of the tables
 * @param lean whether one function answers all routes, and none has an alias
 */
record Names(String prefix, TableNames tables, boolean lean) {
  /**
   * The alias of every function that has one. Callers invoke the alias, whatever version it names.
   */
  static final String ALIAS = PublishedVersions.LIVE;

  Names(Environment environment) {
    this(environment.prefix(), environment.tables(), environment.isLean());
  }

  /** The full name of a function, such as {@code governance-dev-approve-plan}. */
  String function(String name) {
    return prefix + "-" + name;
  }

  /** The name of a route's function, without the prefix. */
  String ofRoute(String operation) {
    return lean ? RoutesStack.ALL : operation;
  }

  /** The name of a role. It contains the region, because roles are global to the account. */
  String role(String function) {
    return function(function) + "-" + Aws.REGION;
  }

  String logGroup(String function) {
    return "/aws/lambda/" + function(function);
  }

  String functionArn(String name) {
    return regional("lambda", "function:" + function(name));
  }

  /** The ARN by which the function is invoked. */
  String invokedArn(String name) {
    return regional("lambda", "function:" + invoked(name));
  }

  /** The name by which the function is invoked. */
  String invoked(String name) {
    return lean ? function(name) : function(name) + ":" + ALIAS;
  }

  String roleArn(String function) {
    return "arn:%s:iam::%s:role/%s".formatted(Aws.PARTITION, Aws.ACCOUNT_ID, role(function));
  }

  String tableArn(Table table) {
    return tableArn(tables.of(table));
  }

  static String tableArn(String name) {
    return regional("dynamodb", "table/" + name);
  }

  /** The ARNs of the table and of each of its indexes. */
  List<String> readableArns(Table table) {
    return Stream.concat(
            Stream.of(tableArn(table)),
            table.indexes().stream()
                .map(Index::hash)
                .map(index -> tableArn(table) + "/index/" + index))
        .toList();
  }

  /** The alias of the KMS key that wraps data keys. */
  String aliasOfDataKeys() {
    return "alias/" + prefix + "-data-keys";
  }

  /** The bucket of exports. Its name must be unique, because bucket names are global. */
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

  /** The state machine that exports whole tables. */
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

  /** The topic for the alarms that page a person. */
  String pageTopic() {
    return prefix + "-pages";
  }

  String ticketTopic() {
    return prefix + "-tickets";
  }

  /** The part of the state machines' ARNs before their names. */
  static String stateMachines() {
    return regional("states", "stateMachine:");
  }

  String stateMachineArn(TimerKind kind) {
    return stateMachines() + kind.wireName(prefix);
  }

  /** All executions of a state machine; each has its timer's name. */
  String executionsArn(TimerKind kind) {
    return regional("states", "execution:" + kind.wireName(prefix) + ":*");
  }

  String logStreamsArn(String function) {
    return regional("logs", "log-group:" + logGroup(function) + ":*");
  }

  /**
   * The ARN of a Bedrock model. An identifier means a model of the region; an ARN stays as it is.
   */
  static String modelArn(String model) {
    return model.startsWith("arn:")
        ? model
        : "arn:%s:bedrock:%s::foundation-model/%s".formatted(Aws.PARTITION, Aws.REGION, model);
  }

  static String regional(String service, String resource) {
    return "arn:%s:%s:%s:%s:%s"
        .formatted(Aws.PARTITION, service, Aws.REGION, Aws.ACCOUNT_ID, resource);
  }

  /**
   * A name as part of a logical identifier: for example, {@code approve-plan} becomes {@code
   * ApprovePlan}.
   */
  static String logical(String name) {
    return Arrays.stream(name.split("[^A-Za-z0-9]+"))
        .filter(word -> !word.isEmpty())
        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
        .collect(Collectors.joining());
  }
}
