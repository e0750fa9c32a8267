package io.actiongovernance.infra;

import io.actiongovernance.functions.aws.KeySecrets;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.rights.Right;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.settings.Memory;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.infra.rollback.WrittenForm;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.CfnManagedPolicy;
import software.amazon.awscdk.services.iam.CfnRole;
import software.amazon.awscdk.services.lambda.CfnAlias;
import software.amazon.awscdk.services.lambda.CfnFunction;
import software.amazon.awscdk.services.lambda.CfnFunctionProps;
import software.amazon.awscdk.services.lambda.CfnVersion;
import software.amazon.awscdk.services.logs.CfnLogGroup;
import software.amazon.awscdk.services.s3.assets.Asset;

/** Creates the functions of one stack, each with its own log group and role. */
final class FunctionMaker {
  private static final Set<Right> IN_BUCKET =
      EnumSet.of(Right.READ_EXPORTS, Right.WRITE_EXPORTS, Right.READ_RESULTS, Right.WRITE_RESULTS);

  private static final String SNAPSHOTS = "PublishedVersions";
  private static final String NO_SNAPSHOTS = "None";

  private final Stack stack;
  private final Environment environment;
  private final Names names;
  private final @Nullable String baseUrl;
  private final @Nullable KeysStack keys;
  private final CfnFunction.CodeProperty code;
  private final List<String> made = new ArrayList<>();

  /**
   * @param baseUrl null if no function needs it
   * @param keys null if no function seals or opens anything
   */
  FunctionMaker(
      Stack stack,
      Environment environment,
      @Nullable String baseUrl,
      @Nullable KeysStack keys,
      Path zip) {
    this.stack = stack;
    this.environment = environment;
    this.names = new Names(environment);
    this.baseUrl = baseUrl;
    this.keys = keys;
    this.code = code(zip);
  }

  private CfnFunction.CodeProperty code(Path zip) {
    Emulator emulator = environment.emulator();
    Path mounted = emulator == null ? null : emulator.code();
    if (mounted != null) {
      return CfnFunction.CodeProperty.builder()
          .s3Bucket(Emulator.MOUNTED)
          .s3Key(mounted.toString())
          .build();
    }
    Asset asset = Asset.Builder.create(stack, "Zip").path(zip.toString()).build();
    return CfnFunction.CodeProperty.builder()
        .s3Bucket(asset.getS3BucketName())
        .s3Key(asset.getS3ObjectKey())
        .build();
  }

  /**
   * A function on the managed runtime, which starts from a snapshot unless it belongs to {@link
   * EmergencyStop}.
   *
   * @param name its name, without the prefix
   * @param handler the class in the zip that handles its events
   * @param memory its memory, up to the environment's maximum
   * @param rights its rights
   * @param receiving the statements that let its event source read for it
   * @return the ARN by which it is invoked
   */
  String make(
      String name,
      Class<?> handler,
      Duration timeout,
      Memory memory,
      Rights rights,
      List<Map<String, Object>> receiving) {
    String snapshots = EmergencyStop.hasSnapshots(name) ? SNAPSHOTS : NO_SNAPSHOTS;
    return make(name, handler, timeout, memory, rights, receiving, variables(rights), snapshots);
  }

  /**
   * A function whose process is started by the zip's script {@code stream-runtime}, because the
   * managed runtime does not stream. It has no snapshot, because the published Runtime API does not
   * describe a runtime's duties around one.
   */
  String streamed(String name, Class<?> handler, Duration timeout, Rights rights) {
    Map<String, String> variables = variables(rights);
    variables.put("AWS_LAMBDA_EXEC_WRAPPER", "/var/task/stream-runtime");
    return make(
        name, handler, timeout, Memory.WHOLE_PROCESSOR, rights, List.of(), variables, NO_SNAPSHOTS);
  }

  /**
   * A function outside the governed work. It is invoked each minute, so it needs no instance that
   * is kept ready.
   *
   * @param permits statements of its further rights
   * @param more further variables of its environment
   */
  String apart(
      String name,
      Class<?> handler,
      Duration timeout,
      List<Map<String, Object>> permits,
      Map<String, String> more) {
    Map<String, String> variables = variables(Rights.NONE);
    variables.putAll(more);
    return make(
        name, handler, timeout, Memory.SMALL, Rights.NONE, permits, variables, NO_SNAPSHOTS);
  }

  private String make(
      String name,
      Class<?> handler,
      Duration timeout,
      Memory memory,
      Rights rights,
      List<Map<String, Object>> receiving,
      Map<String, String> variables,
      String snapshots) {
    String id = Names.logical(name);
    environment
        .mayWait(name)
        .ifPresent(most -> variables.put(Settings.WAITS_OF_FUNCTION, Integer.toString(most)));
    CfnLogGroup logs =
        CfnLogGroup.Builder.create(stack, id + "Logs")
            .logGroupName(names.logGroup(name))
            .retentionInDays(environment.logDays())
            .build();
    logs.applyRemovalPolicy(RemovalPolicy.DESTROY);
    CfnFunctionProps properties =
        CfnFunctionProps.builder()
            .functionName(names.function(name))
            .description(description())
            .runtime("java25")
            .architectures(List.of("arm64"))
            .handler(handler.getName())
            .code(code)
            .memorySize(
                Math.min(
                    (isKeptReady(name) ? Memory.PASSING_ON : memory).megabytes(),
                    environment.memory()))
            .timeout(timeout.toSeconds())
            .role(role(id, name, rights, receiving).getAttrArn())
            .environment(CfnFunction.EnvironmentProperty.builder().variables(variables).build())
            .tracingConfig(
                CfnFunction.TracingConfigProperty.builder()
                    .mode(environment.traced() ? "Active" : "PassThrough")
                    .build())
            .snapStart(
                CfnFunction.SnapStartProperty.builder()
                    .applyOn(environment.isLean() ? NO_SNAPSHOTS : snapshots)
                    .build())
            .loggingConfig(
                CfnFunction.LoggingConfigProperty.builder()
                    .logFormat("JSON")
                    // Lambda's line for each run repeats its metrics, except memory and restores,
                    // and used to be most of the log.
                    .systemLogLevel(
                        environment.readiness().reports().contains(name) ? "INFO" : "WARN")
                    .logGroup(names.logGroup(name))
                    .build())
            .build();
    CfnFunction function = new CfnFunction(stack, id, properties);
    function.addResourceDependency(logs);
    if (environment.emulator() == null) {
      // Lambda takes the sixteenth invocation in a chain for an endless loop, and drops it. Here a
      // chain is as long as the actions that wait for an entity, because each dispatches the next.
      // This is set on the function, not in its properties: a version that differed only by it
      // would be refused.
      function.setRecursiveLoop("Allow");
    }
    // Set here for the same reason: the reservation belongs to the function, not to its versions.
    environment.reserved(name).ifPresent(most -> function.setReservedConcurrentExecutions(most));
    made.add(name);
    if (environment.isLean()) {
      return function.getAttrArn();
    }
    CfnAlias alias = published(id, name, function, properties);
    if (Rollout.isFor(environment, name)) {
      Rollout.of(stack, environment, name, alias, logs);
    }
    return alias.getRef();
  }

  /**
   * The description of a version's stored form; null on an emulator, which keeps no old version.
   */
  private @Nullable String description() {
    return environment.emulator() == null
        ? WrittenForm.description(environment.tables().text())
        : null;
  }

  /**
   * The alias that all callers invoke. It points to a version, which fixes code and configuration
   * at its creation. Other code or configuration creates another version, and once that exists, the
   * alias moves to it.
   */
  private CfnAlias published(
      String id, String name, CfnFunction function, CfnFunctionProps properties) {
    String fingerprint = CanonicalJson.sha256(Json.tree(stack.resolve(properties)));
    CfnVersion version =
        CfnVersion.Builder.create(stack, id + "Version" + fingerprint.substring(0, 12))
            .functionName(function.getRef())
            .build();
    if (environment.emulator() == null) {
      // infra-cdk/rollback goes back to the replaced version. The version of a failed update is
      // deleted, because otherwise the next update could not publish an equal one.
      version.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    }
    CfnAlias.Builder alias =
        CfnAlias.Builder.create(stack, id + "Live")
            .name(Names.ALIAS)
            .functionName(function.getRef())
            .functionVersion(version.getAttrVersion());
    if (isKeptReady(name)) {
      alias.provisionedConcurrencyConfig(
          CfnAlias.ProvisionedConcurrencyConfigurationProperty.builder()
              .provisionedConcurrentExecutions(environment.readiness().awake())
              .build());
    }
    return alias.build();
  }

  /**
   * Returns whether instances of the function are always ready. They are paid for all month.
   * Because they are primed, they answer within a second with less than a processor.
   */
  private boolean isKeptReady(String name) {
    return environment.readiness().awake() > 0 && EmergencyStop.FUNCTIONS.contains(name);
  }

  /** The names of the functions created so far. */
  List<String> made() {
    return List.copyOf(made);
  }

  private Map<String, String> variables(Rights rights) {
    Map<String, String> variables = new TreeMap<>();
    variables.put("GOVERNANCE_PREFIX", environment.prefix());
    if (!environment.tables().generations().isEmpty()) {
      variables.put(Settings.TABLE_GENERATIONS, environment.tables().text());
    }
    if (baseUrl != null) {
      variables.put("GOVERNANCE_BASE_URL", baseUrl);
    }
    // Processes live briefly, so using only the fast compiler halves the start.
    variables.put("JAVA_TOOL_OPTIONS", "-XX:+TieredCompilation -XX:TieredStopAtLevel=1");
    variables.putAll(environment.settings());
    boolean exports = IN_BUCKET.stream().anyMatch(rights::permit);
    if (exports) {
      variables.put("GOVERNANCE_EXPORTS_BUCKET", names.exportsBucket());
    }
    boolean changes = rights.permit(Right.GIVE_UP_CHANGES) || rights.permit(Right.READ_GIVEN_UP);
    if (changes) {
      variables.put(Settings.CHANGES_BUCKET, names.changesBucket());
    }
    Emulator emulator = environment.emulator();
    if (emulator != null && (exports || changes)) {
      variables.putAll(emulator.variables());
    }
    if (rights.sends().contains(Queue.ACTIONS)) {
      variables.put(Settings.ACTION_QUEUES, Integer.toString(environment.queues()));
    }
    if (!rights.times().isEmpty()) {
      variables.put("GOVERNANCE_STATE_MACHINES", Names.stateMachines());
    }
    // A different word creates a new version, which reads the secrets again when it starts.
    if (stack.getNode().tryGetContext("restart") instanceof String word) {
      variables.put("GOVERNANCE_RESTART", word);
    }
    if (rights.opens().isEmpty()) {
      variables.put(Settings.MASTER_KEY, Settings.NO_MASTER_KEY);
    } else {
      variables.put(KeySecrets.SECRETS, KeySecrets.named(keys().arns(rights.opens())));
    }
    if (KeysStack.hasDataKeys(rights)) {
      variables.put(Settings.DATA_KEY, keys().dataKeyArn());
    }
    return variables;
  }

  private KeysStack keys() {
    return Objects.requireNonNull(keys);
  }

  private CfnRole role(String id, String name, Rights rights, List<Map<String, Object>> receiving) {
    List<Map<String, Object>> statements =
        new ArrayList<>(new Statements(environment).of(name, rights));
    if (!rights.opens().isEmpty()) {
      statements.addAll(SealingStatements.of(names, rights, keys()));
    }
    statements.addAll(receiving);
    if (environment.traced()) {
      statements.add(Statements.trace());
    }
    List<Map<String, Object>> needs = new ArrayList<>();
    List<String> managed = new ArrayList<>();
    for (Map<String, Object> statement : statements) {
      List<Map<String, Object>> apart = Statements.apart(statement);
      if (apart.isEmpty()) {
        needs.add(statement);
      }
      for (Map<String, Object> part : apart) {
        managed.add(managed(id + part.get("Sid") + managed.size(), part));
      }
    }
    CfnRole role =
        CfnRole.Builder.create(stack, id + "Role")
            .roleName(names.role(name))
            .assumeRolePolicyDocument(Statements.assumedBy("lambda.amazonaws.com"))
            .policies(
                List.of(
                    CfnRole.PolicyProperty.builder()
                        .policyName("needs")
                        .policyDocument(Statements.document(needs))
                        .build()))
            .managedPolicyArns(managed.isEmpty() ? null : managed)
            .build();
    statements.forEach(
        statement -> Inexact.of(statement).ifPresent(inexact -> inexact.giveReason(role)));
    return role;
  }

  private String managed(String id, Map<String, Object> statement) {
    return CfnManagedPolicy.Builder.create(stack, id)
        .policyDocument(Statements.document(List.of(statement)))
        .build()
        .getRef();
  }
}
