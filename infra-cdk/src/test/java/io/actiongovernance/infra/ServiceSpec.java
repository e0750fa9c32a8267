package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static io.actiongovernance.infra.Synthesised.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.functions.trigger.Source;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.StateMachines;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.StoredForm;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Queues, facts, and the functions behind them. */
final class ServiceSpec {
  private static final String PREFIX = "governance-prod";
  private static final String MAPPING = "AWS::Lambda::EventSourceMapping";
  private static final String RESERVED = "ReservedConcurrentExecutions";

  private static final int QUEUES = Environment.named("prod").queues();

  static List<DeployedQueue> queues() {
    return Queue.all(QUEUES);
  }

  @ParameterizedTest
  @MethodSource("queues")
  void everyQueueHasADeadLetterQueueOfItsKind(DeployedQueue queue) {
    Resource live = PROD.one("AWS::SQS::Queue", "/QueueName", queue.wireName(PREFIX));
    Resource dead = PROD.one("AWS::SQS::Queue", "/QueueName", queue.deadLetterName(PREFIX));
    assertThat(live.property("/FifoQueue").asBoolean()).isEqualTo(queue.kind().fifo());
    assertThat(dead.property("/FifoQueue").asBoolean()).isEqualTo(queue.kind().fifo());
    assertThat(live.property("/VisibilityTimeout").asLong())
        .isEqualTo(queue.kind().visibility().toSeconds());
    assertThat(live.property("/RedrivePolicy/maxReceiveCount").asInt())
        .isEqualTo(queue.kind().receives());
    assertThat(live.text("/RedrivePolicy/deadLetterTargetArn/Fn::GetAtt/0")).isEqualTo(dead.id());
    assertThat(live.property("/SqsManagedSseEnabled").asBoolean()).isTrue();
  }

  @Test
  void everyQueueHasAPolicyAboutThatQueueOnly() {
    List<String> guarded = new ArrayList<>();
    for (Resource policy : PROD.all("AWS::SQS::QueuePolicy")) {
      assertThat(list(policy.property("/Queues"))).hasSize(1);
      String queue = policy.text("/Queues/0/Ref");
      guarded.add(queue);
      assertThat(list(policy.property("/PolicyDocument/Statement")))
          .isNotEmpty()
          .allMatch(statement -> statement.at("/Resource/Fn::GetAtt/0").asText().equals(queue));
    }
    assertThat(guarded)
        .containsExactlyInAnyOrderElementsOf(
            PROD.all("AWS::SQS::Queue").stream().map(Resource::id).toList());
  }

  @Test
  void loopDetectionIsOffForEveryFunction() {
    assertThat(PROD.all("AWS::Lambda::Function"))
        .isNotEmpty()
        .allMatch(function -> function.text("/RecursiveLoop").equals("Allow"));
  }

  @ParameterizedTest
  @EnumSource
  void everyTriggerHasAFunctionWithItsTimeout(Trigger trigger) {
    Binding binding = trigger.binding();
    Resource function = PROD.function(binding.function());
    assertThat(function.property("/Timeout").asLong()).isEqualTo(binding.timeout().toSeconds());
    assertThat(function.property("/MemorySize").asInt()).isEqualTo(trigger.memory().megabytes());
    assertThat(function.text("/Runtime")).isEqualTo("java25");
    assertThat(function.text("/Architectures/0")).isEqualTo("arm64");
  }

  @ParameterizedTest
  @CsvSource({
    "list-plans, 1769",
    "stream-events, 1769",
    "approve-plan, 1024",
    "send-mcp-message, 1024",
    "veto-plan, 512",
    "create-halt, 512"
  })
  void waitingAndEmergencyFunctionsHaveLessMemory(String function, int mb) {
    assertThat(PROD.function(function).property("/MemorySize").asInt()).isEqualTo(mb);
  }

  @Test
  void lambdaReportsRunsOnlyOfTheNamedFunctions() {
    assertThat(
            PROD.all("AWS::Lambda::Function").stream()
                .filter(function -> !function.text("/LoggingConfig/SystemLogLevel").equals("WARN"))
                .map(function -> function.text("/FunctionName")))
        .containsExactlyInAnyOrder(
            "governance-prod-approve-plan",
            "governance-prod-execute-action",
            "governance-prod-propose");
  }

  @ParameterizedTest
  @EnumSource
  void everyTriggersHandlerIsAClassThatLambdaMakes(Trigger trigger) throws Exception {
    Class<?> handler = Class.forName(PROD.function(trigger.binding().function()).text("/Handler"));
    assertThat(RequestHandler.class).isAssignableFrom(handler);
    assertThat(handler.getConstructor()).isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void everyTriggersHandlerTakesTheEventsOfItsSource(Trigger trigger) throws Exception {
    Binding binding = trigger.binding();
    Class<?> handler = Class.forName(PROD.function(binding.function()).text("/Handler"));
    ParameterizedType signature = signature(handler);
    switch (binding.source()) {
      // What of a batch failed comes again: its source has to ask for that, and it to say it.
      case Messages _, DeadLetters _ ->
          assertThat(signature.getActualTypeArguments())
              .containsExactly(SQSEvent.class, SQSBatchResponse.class);
      case Changes _ ->
          assertThat(signature.getActualTypeArguments())
              .containsExactly(DynamodbEvent.class, StreamsEventResponse.class);
      case Every _, Source.Timed _, Source.Invocation _ ->
          assertThat(signature.getActualTypeArguments()[0])
              .isInstanceOfSatisfying(
                  ParameterizedType.class,
                  event -> assertThat(event.getRawType()).isEqualTo(Map.class));
    }
  }

  /** {@code RequestHandler<Event, Answer>}, as the class or one above it implements it. */
  private static ParameterizedType signature(Class<?> handler) {
    for (Type type : handler.getGenericInterfaces()) {
      if (type instanceof ParameterizedType signature
          && signature.getRawType() == RequestHandler.class) {
        return signature;
      }
    }
    return signature(handler.getSuperclass());
  }

  @ParameterizedTest
  @EnumSource
  void everyTriggerIsStartedByItsSource(Trigger trigger) {
    Binding binding = trigger.binding();
    switch (binding.source()) {
      case Messages _ -> polled(binding, queue -> queue.wireName(PREFIX));
      case DeadLetters _ -> polled(binding, queue -> queue.deadLetterName(PREFIX));
      case Changes(_, var patterns, var patient) -> followed(binding, patterns, patient);
      case Every(var rate) ->
          assertThat(PROD.all("AWS::Events::Rule"))
              .filteredOn(
                  rule -> rule.text("/Targets/0/Arn/Ref").equals(PROD.alias(binding.function())))
              .singleElement()
              .satisfies(
                  rule ->
                      assertThat(rule.text("/ScheduleExpression"))
                          .isEqualTo(
                              rate.toMinutes() == 1
                                  ? "rate(1 minute)"
                                  : "rate(" + rate.toMinutes() + " minutes)"));
      case Source.Timed(TimerKind kind) -> timed(binding, kind);
      case Source.Invocation _ -> assertThat(mappings(binding)).isEmpty();
    }
  }

  private static void timed(Binding binding, TimerKind kind) {
    String function = PROD.alias(binding.function());
    Resource machine =
        PROD.one("AWS::StepFunctions::StateMachine", "/StateMachineName", kind.wireName(PREFIX));
    assertThat(machine.text("/DefinitionString")).isEqualTo(StateMachines.definition());
    assertThat(machine.property("/DefinitionSubstitutions").properties())
        .singleElement()
        .satisfies(
            only -> {
              assertThat(only.getKey()).isEqualTo(StateMachines.FUNCTION);
              assertThat(only.getValue().path("Ref").asText()).isEqualTo(function);
            });
    assertThat(placeholders(StateMachines.definition()))
        .containsOnly("${" + StateMachines.FUNCTION + "}");
    String role = machine.text("/RoleArn/Fn::GetAtt/0");
    assertThat(PROD.all("AWS::IAM::Role"))
        .filteredOn(one -> one.id().equals(role))
        .singleElement()
        .satisfies(
            one ->
                assertThat(Synthesised.statements(one))
                    .filteredOn(statement -> !statement.path("Sid").asText().equals("Trace"))
                    .singleElement()
                    .satisfies(
                        statement -> {
                          assertThat(statement.at("/Action/0").asText())
                              .isEqualTo("lambda:InvokeFunction");
                          assertThat(statement.at("/Resource/0/Ref").asText()).isEqualTo(function);
                        }));
  }

  private static List<String> placeholders(String definition) {
    return Pattern.compile("\\$\\{[^}]*}")
        .matcher(definition)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  @Test
  void everyFunctionIsInvokedThroughAnAliasOfAVersion() {
    List<Resource> functions = PROD.all("AWS::Lambda::Function");
    assertThat(PROD.all("AWS::Lambda::Version")).hasSameSizeAs(functions);
    for (Resource function : functions) {
      Resource alias = PROD.one("AWS::Lambda::Alias", "/FunctionName/Ref", function.id());
      Resource version = PROD.one("AWS::Lambda::Version", "/FunctionName/Ref", function.id());
      assertThat(alias.text("/Name")).isEqualTo(Names.ALIAS);
      assertThat(alias.text("/FunctionVersion/Fn::GetAtt/0")).isEqualTo(version.id());
    }
    List<String> aliases = PROD.all("AWS::Lambda::Alias").stream().map(Resource::id).toList();
    assertThat(PROD.all("AWS::Lambda::Permission"))
        .isNotEmpty()
        .allMatch(permission -> aliases.contains(permission.text("/FunctionName/Ref")));
  }

  @Test
  void aReplacedVersionIsKeptWithItsStoredFormAndTables() {
    assertThat(PROD.all("AWS::Lambda::Version"))
        .isNotEmpty()
        .allSatisfy(
            version -> {
              assertThat(version.body().path("DeletionPolicy").asText())
                  .isEqualTo("RetainExceptOnCreate");
              assertThat(version.body().path("UpdateReplacePolicy").asText()).isEqualTo("Retain");
            });
    // A version has the description of its function.
    assertThat(PROD.all("AWS::Lambda::Function"))
        .extracting(function -> function.text("/Description"))
        .containsOnly("Writes stored form " + StoredForm.WRITTEN);
    assertThat(GenerationsSpec.RESTORED.all("AWS::Lambda::Function"))
        .extracting(function -> function.text("/Description"))
        .allMatch(description -> description.contains("state=2"));
  }

  @Test
  void managedFunctionsUseSnapshotsUnlessTheyMustAnswerAtOnce() {
    for (Resource function : PROD.all("AWS::Lambda::Function")) {
      boolean ours = function.property("/Environment/Variables").has("AWS_LAMBDA_EXEC_WRAPPER");
      boolean prompt =
          Set.of(
                  "governance-prod-create-halt",
                  "governance-prod-lift-halt",
                  "governance-prod-veto-plan",
                  "governance-prod-revoke-key",
                  "governance-prod-create-tenant",
                  "governance-prod-recover-claims",
                  "governance-prod-canary",
                  "governance-prod-derive-keys")
              .contains(function.text("/FunctionName"));
      assertThat(function.text("/SnapStart/ApplyOn"))
          .as(function.id())
          .isEqualTo(ours || prompt ? "None" : "PublishedVersions");
    }
  }

  @Test
  void newCodeOrConfigurationMakesANewVersionOfEveryFunction() {
    // Every function is told which tables were restored.
    assertThat(versions(GenerationsSpec.RESTORED)).doesNotContainAnyElementsOf(versions(PROD));
    assertThat(versions(Synthesised.of(Synthesised.whole(), "other code")))
        .doesNotContainAnyElementsOf(versions(PROD));
  }

  @Test
  void theExecutorsReservationIsTheSumOfItsEventSources() {
    int sources =
        mappings(Trigger.EXECUTE_ACTION.binding()).stream()
            .mapToInt(mapping -> mapping.property("/ScalingConfig/MaximumConcurrency").asInt())
            .sum();
    assertThat(sources).isPositive();
    assertThat(reserved(Trigger.EXECUTE_ACTION.binding().function())).isEqualTo(sources);
  }

  @Test
  void onlyExecutorWaitingStreamingAndUnknownPathsAreReserved() {
    assertThat(PROD.all("AWS::Lambda::Function"))
        .filteredOn(function -> function.body().path("Properties").has(RESERVED))
        .extracting(function -> function.text("/FunctionName"))
        .containsExactlyInAnyOrder(
            PREFIX + "-execute-action",
            PREFIX + "-retrieve-plan",
            PREFIX + "-retrieve-action",
            PREFIX + "-propose-plan",
            PREFIX + "-send-mcp-message",
            PREFIX + "-stream-events",
            PREFIX + "-unknown-path");
    assertThat(reserved("retrieve-plan")).isEqualTo(150);
    assertThat(reserved("unknown-path")).isEqualTo(20);
  }

  private static int reserved(String function) {
    return PROD.function(function).property("/" + RESERVED).asInt();
  }

  @Test
  void withoutConcurrencyNothingIsBoundedAndNothingReserved() {
    Synthesised dev = Synthesised.of(Environment.named("dev"));
    assertThat(dev.all(MAPPING))
        .isNotEmpty()
        .noneMatch(mapping -> mapping.body().path("Properties").has("ScalingConfig"));
    assertThat(dev.all("AWS::Lambda::Function"))
        .isNotEmpty()
        .noneMatch(function -> function.body().path("Properties").has(RESERVED));
  }

  @Test
  void aReservationMakesANewVersionOnlyIfTheFunctionReadsIt() {
    Environment prod = Synthesised.whole();
    Synthesised unbounded = Synthesised.of(prod.withConcurrency(new Concurrency.None()));
    List<String> others = new ArrayList<>(versions(PROD));
    others.removeAll(versions(unbounded));
    assertThat(others)
        .extracting(version -> version.replaceFirst("Version[0-9a-f]+$", ""))
        .containsExactlyInAnyOrder(
            "RetrievePlan", "RetrieveAction", "ProposePlan", "SendMcpMessage");
  }

  private static List<String> versions(Synthesised environment) {
    return environment.all("AWS::Lambda::Version").stream().map(Resource::id).toList();
  }

  @Test
  void functionsThatStartTimersKnowTheirStateMachines() {
    Resource starter = PROD.function(Trigger.FOLLOW_PLANS.binding().function());
    assertThat(flat(starter.property("/Environment/Variables/GOVERNANCE_STATE_MACHINES")))
        .endsWith(":stateMachine:");
  }

  /**
   * What nothing else knows of, and what people are to look at, is kept for as long as SQS does.
   */
  @Test
  void deadLettersAndIrreplaceableMessagesAreKeptForTwoWeeks() {
    List<String> kept =
        PROD.all("AWS::SQS::Queue").stream()
            .filter(queue -> queue.property("/MessageRetentionPeriod").asInt() == 14 * 86_400)
            .map(queue -> queue.text("/QueueName"))
            .toList();
    List<String> expected =
        new ArrayList<>(
            Queue.all(QUEUES).stream().map(queue -> queue.deadLetterName(PREFIX)).toList());
    Stream.of(Queue.PROPOSALS, Queue.DELIVERIES, Queue.FAILED_CHANGES, Queue.FAILED_FACTS)
        .forEach(queue -> expected.add(queue.wireName(PREFIX)));
    assertThat(kept).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** CloudFormation begins the name of what has none with that of its stack. */
  @Test
  void everyScheduledRuleIsOnTheDefaultBusAndNamedByItsStack() {
    List<Resource> clocks =
        PROD.all("AWS::Events::Rule").stream()
            .filter(rule -> !rule.property("/ScheduleExpression").isMissingNode())
            .toList();
    assertThat(clocks)
        .extracting(Resource::id)
        .containsExactlyInAnyOrder("LookForDueSource", "EachMinute");
    assertThat(clocks)
        .allSatisfy(
            rule -> {
              assertThat(rule.property("/Name").isMissingNode()).isTrue();
              assertThat(rule.property("/EventBusName").isMissingNode()).isTrue();
            });
  }

  private static void polled(Binding binding, Function<DeployedQueue, String> name) {
    List<DeployedQueue> queues = binding.queues(QUEUES);
    assertThat(mappings(binding)).hasSameSizeAs(queues);
    for (DeployedQueue queue : queues) {
      Resource source = PROD.one("AWS::SQS::Queue", "/QueueName", name.apply(queue));
      assertThat(mappings(binding))
          .filteredOn(one -> queueName(one.property("/EventSourceArn")).equals(name.apply(queue)))
          .singleElement()
          .satisfies(mapping -> handsOnMessages(mapping, binding));
      assertThat(receivable(binding)).contains(name.apply(queue));
      assertThat(binding.timeout()).isLessThan(queue.kind().visibility());
      assertThat(source.property("/VisibilityTimeout").asLong())
          .isGreaterThan(binding.timeout().toSeconds());
    }
    assertThat(receivable(binding)).hasSameSizeAs(queues);
  }

  private static void handsOnMessages(Resource mapping, Binding binding) {
    assertThat(mapping.property("/BatchSize").asInt()).isEqualTo(binding.batch());
    assertThat(mapping.text("/FunctionResponseTypes/0")).isEqualTo("ReportBatchItemFailures");
    assertThat(mapping.property("/ScalingConfig/MaximumConcurrency").asInt())
        .isEqualTo(Environment.named("prod").ofEachSource(binding).orElseThrow());
  }

  /** The queues whose messages the function's role may receive. */
  private static List<String> receivable(Binding binding) {
    return Synthesised.statements(PROD.role(binding.function())).stream()
        .filter(statement -> statement.path("Sid").asText().equals("Receive"))
        .flatMap(statement -> list(statement.path("Resource")).stream())
        .map(ServiceSpec::queueName)
        .toList();
  }

  /** The last part of its ARN; the stacks speak of queues by their names. */
  private static String queueName(JsonNode arn) {
    String text = flat(arn);
    return text.substring(text.lastIndexOf(':') + 1);
  }

  @Test
  void prodHasEightSeparateActionQueues() {
    assertThat(QUEUES).isEqualTo(8);
    Set<String> names =
        Queue.ACTIONS.deployed(8).stream()
            .map(queue -> queue.wireName(PREFIX))
            .collect(Collectors.toSet());
    assertThat(names).hasSize(8).contains(PREFIX + "-actions.fifo", PREFIX + "-actions-8.fifo");
    List<Resource> made =
        PROD.all("AWS::SQS::Queue").stream()
            .filter(queue -> names.contains(queue.text("/QueueName")))
            .toList();
    assertThat(made).hasSize(8);
    assertThat(
            made.stream().map(one -> one.text("/RedrivePolicy/deadLetterTargetArn/Fn::GetAtt/0")))
        .doesNotHaveDuplicates();
    assertThat(mappings(Trigger.EXECUTE_ACTION.binding())).hasSize(8);
    assertThat(mappings(Trigger.GIVE_UP_ACTION.binding())).hasSize(8);
  }

  @Test
  void everySenderOfActionsKnowsAndMayUseEveryActionQueue() {
    List<String> arns =
        Queue.ACTIONS.deployed(QUEUES).stream().map(queue -> ":" + queue.wireName(PREFIX)).toList();
    List<String> senders = new ArrayList<>();
    for (Resource function : PROD.all("AWS::Lambda::Function")) {
      String name = function.text("/FunctionName").substring(PREFIX.length() + 1);
      List<JsonNode> sending =
          Synthesised.statements(PROD.role(name)).stream()
              .filter(statement -> statement.path("Sid").asText().equals("SendActions"))
              .toList();
      JsonNode count = function.property("/Environment/Variables").path(Settings.ACTION_QUEUES);
      assertThat(count.isMissingNode()).as(name).isEqualTo(sending.isEmpty());
      if (!sending.isEmpty()) {
        senders.add(name);
        assertThat(count.asText()).isEqualTo("8");
        assertThat(list(sending.getFirst().path("Resource")))
            .extracting(arn -> flat(arn).replaceFirst(".*:", ":"))
            .containsExactlyElementsOf(arns);
      }
    }
    assertThat(senders).contains("approve-plan", "propose", "execute-action", "sweep");
  }

  @Test
  void everyWaitingFunctionKnowsItsNumberOfWaits() {
    Set<String> waiting = new HashSet<>();
    for (Resource function : PROD.all("AWS::Lambda::Function")) {
      String name = function.text("/FunctionName").substring(PREFIX.length() + 1);
      JsonNode most = function.property("/Environment/Variables").path(Settings.WAITS_OF_FUNCTION);
      if (!most.isMissingNode()) {
        waiting.add(name);
        assertThat(most.asInt() * 5).isEqualTo(function.property("/" + RESERVED).asInt() * 4);
      }
    }
    assertThat(waiting)
        .containsExactlyInAnyOrder(
            "retrieve-plan", "retrieve-action", "propose-plan", "send-mcp-message");
  }

  private static void followed(Binding binding, List<String> patterns, boolean patient) {
    Resource mapping = mappings(binding).getFirst();
    assertThat(mapping.property("/BatchSize").asInt()).isEqualTo(binding.batch());
    assertThat(mapping.text("/StartingPosition")).isEqualTo("TRIM_HORIZON");
    assertThat(mapping.text("/FunctionResponseTypes/0")).isEqualTo("ReportBatchItemFailures");
    assertThat(mapping.property("/FilterCriteria/Filters").valueStream())
        .extracting(filter -> filter.path("Pattern").textValue())
        .containsExactlyElementsOf(patterns);
    assertThat(mapping.property("/BisectBatchOnFunctionError").asBoolean()).isTrue();
    // What nothing waits for is tried as long as it is there, and takes no more than it must.
    assertThat(mapping.property("/MaximumRetryAttempts").asInt() == -1).isEqualTo(patient);
    assertThat(mapping.property("/ParallelizationFactor").isMissingNode()).isEqualTo(patient);
    assertThat(flat(mapping.property("/DestinationConfig/OnFailure/Destination")))
        .contains(":s3:::" + PREFIX + "-changes-");
  }

  /** What is given up waits for people as its whole record: metadata would outlive the stream. */
  @Test
  void givenUpChangesAreKeptInABucketAsLongAsInTheirQueue() {
    Resource bucket =
        PROD.all("AWS::S3::Bucket").stream()
            .filter(one -> flat(one.property("/BucketName")).startsWith(PREFIX + "-changes-"))
            .findFirst()
            .orElseThrow();
    Resource queue =
        PROD.one("AWS::SQS::Queue", "/QueueName", Queue.FAILED_CHANGES.wireName(PREFIX));
    assertThat(bucket.property("/LifecycleConfiguration/Rules/0/ExpirationInDays").asInt())
        .isEqualTo(queue.property("/MessageRetentionPeriod").asInt() / 86_400);
    List<JsonNode> notified =
        list(bucket.property("/NotificationConfiguration/QueueConfigurations"));
    assertThat(notified)
        .extracting(one -> one.at("/Filter/S3Key/Rules/0/Value").textValue())
        .containsExactly("aws/lambda/", "changes/");
    assertThat(notified)
        .allMatch(one -> one.path("Event").textValue().equals("s3:ObjectCreated:*"))
        .allMatch(one -> one.at("/Queue/Fn::GetAtt/0").textValue().equals(queue.id()));
    // It must be able to send when it is made.
    assertThat(bucket.body().path("DependsOn").toString()).contains(queue.id() + "Policy");
    for (Trigger relay : List.of(Trigger.RELAY_STATE, Trigger.RELAY_EVENTS)) {
      assertThat(Synthesised.statements(PROD.role(relay.binding().function())))
          .filteredOn(statement -> statement.path("Action").toString().contains("s3:"))
          .extracting(statement -> statement.path("Sid").asText())
          .containsExactlyInAnyOrder(
              "GiveUpChanges", "ReadTries", "PutFailedChanges", "ListFailedChanges");
    }
  }

  private static List<Resource> mappings(Binding binding) {
    String function = PROD.alias(binding.function());
    return PROD.all(MAPPING).stream()
        .filter(mapping -> mapping.text("/FunctionName/Ref").equals(function))
        .toList();
  }

  @Test
  void withoutACollectorNoFunctionPostsSpans() {
    String spans = PREFIX + "-" + Trigger.EXPORT_SPANS.binding().function();
    Synthesised without = Synthesised.of(Synthesised.placed());
    assertThat(PROD.all("AWS::Lambda::Function"))
        .anyMatch(function -> function.text("/FunctionName").equals(spans));
    assertThat(without.all("AWS::Lambda::Function"))
        .hasSize(PROD.all("AWS::Lambda::Function").size() - 1)
        .noneMatch(function -> function.text("/FunctionName").equals(spans));
    assertThat(without.all(MAPPING)).hasSize(PROD.all(MAPPING).size() - 1);
    assertThat(Json.write(Json.tree(without.templates()))).doesNotContain(spans);
  }

  @Test
  void noShardOfAStreamHasMoreThanTwoReaders() {
    Map<Table, Long> readers =
        Trigger.bindings().stream()
            .map(Binding::source)
            .filter(Changes.class::isInstance)
            .map(Changes.class::cast)
            .collect(Collectors.groupingBy(Changes::table, Collectors.counting()));
    assertThat(readers.values()).allMatch(count -> count <= 2);
    // The runbook says so: a read by hand would use up the reads of one of these.
    assertThat(readers.get(Table.STATE)).isEqualTo(2);
  }

  @Test
  void relaysSendProposalsStraightToTheirQueue() {
    assertThat(FactRule.ofBus()).hasSize(FactRule.values().length - 1);
    for (Trigger relay : List.of(Trigger.RELAY_STATE, Trigger.RELAY_EVENTS)) {
      assertThat(Synthesised.statements(PROD.role(relay.binding().function())))
          .extracting(statement -> statement.path("Sid").asText())
          .contains("SendProposals");
    }
    assertThat(PROD.all("AWS::Events::Rule"))
        .filteredOn(rule -> rule.property("/Targets/0/Arn").has("Fn::Join"))
        .isNotEmpty()
        .noneMatch(
            rule ->
                queueName(rule.property("/Targets/0/Arn"))
                    .equals(Queue.PROPOSALS.wireName(PREFIX)));
  }

  static List<FactRule> rules() {
    return FactRule.ofBus();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void everyRuleSendsItsFactsToItsQueueInTheGroupOfTheirTenant(FactRule rule) {
    Resource made = PROD.one("AWS::Events::Rule", "/Name", rule.wireName(PREFIX));
    assertThat(made.property("/EventPattern")).isEqualTo(Json.read(rule.pattern()));
    assertThat(made.text("/Targets/0/InputPath")).isEqualTo("$.detail");
    assertThat(made.text("/Targets/0/SqsParameters/MessageGroupId"))
        .isEqualTo("$.detail.partition");
    assertThat(queueName(made.property("/Targets/0/Arn"))).isEqualTo(rule.queue().wireName(PREFIX));
    assertThat(queueName(made.property("/Targets/0/DeadLetterConfig/Arn")))
        .isEqualTo(Queue.FAILED_FACTS.wireName(PREFIX));
  }

  @Test
  void resourcesHaveTheNamesThatFunctionsUse() {
    assertThat(PROD.one("AWS::Events::EventBus", "/Name", FactRule.busName(PREFIX))).isNotNull();
    for (Resource function : PROD.all("AWS::Lambda::Function")) {
      JsonNode variables = function.property("/Environment/Variables");
      assertThat(variables.path("GOVERNANCE_PREFIX").textValue()).isEqualTo(PREFIX);
      // What derives keys is there before the API has an address, and tells nobody any.
      if (!function.text("/FunctionName").equals(PREFIX + "-derive-keys")) {
        assertThat(flat(variables.path("GOVERNANCE_BASE_URL"))).startsWith("https://");
      }
    }
  }
}
