package io.actiongovernance.localstack.emulator;

import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.lambda.Functions;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.runtime.DeployedZip;
import io.actiongovernance.localstack.runtime.FunctionFailed;
import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import io.actiongovernance.localstack.runtime.FunctionProcess.RunBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Functions, their versions and aliases. An alias moves to another version once that has a process
 * which is ready; what was begun by another version is ended by it. Thread-safe.
 */
final class Code {
  private static final String FUNCTION = Aws.arn("lambda", "function:");

  /** For what Lambda does not count: a process that starts, and others that are before one. */
  private static final Duration WAIT_FOR_A_PROCESS = Duration.ofMinutes(2);

  /** The longest that any function may take. */
  private static final Duration LONGEST = Duration.ofMinutes(15).plus(WAIT_FOR_A_PROCESS);

  /** What a version is a picture of, though some of it makes no difference here. */
  private static final Set<String> CONFIGURATION =
      Set.of(
          "Architectures",
          "Code",
          "Environment",
          "Handler",
          "LoggingConfig",
          "MemorySize",
          "Role",
          "Runtime",
          "SnapStart",
          "Timeout",
          "TracingConfig");

  private final S3Client objects;
  private final Path work;
  private final Sandboxes sandboxes;
  private final Launches launches;
  private final Functions functions;
  private final Rights rights;
  private final Function<String, Map<String, String>> environment;
  private final Map<String, Version> configured = new ConcurrentSkipListMap<>();
  private final Map<String, AtomicInteger> numbers = new ConcurrentHashMap<>();
  private final Map<String, Version> versions = new ConcurrentSkipListMap<>();
  private final Map<String, Version> aliases = new ConcurrentSkipListMap<>();
  private final Map<String, DeployedZip> zips = new ConcurrentHashMap<>();

  /**
   * @param functions is told those that can be invoked
   * @param environment of a function that has the role, besides its own
   */
  Code(
      S3Client objects,
      Path work,
      Sandboxes sandboxes,
      Functions functions,
      Rights rights,
      Function<String, Map<String, String>> environment) {
    this.objects = objects;
    this.work = work;
    this.sandboxes = sandboxes;
    this.launches = new Launches(sandboxes);
    this.functions = functions;
    this.rights = rights;
    this.environment = environment;
  }

  void addTo(Kinds kinds) {
    kinds
        .add(
            "AWS::Lambda::Function",
            Stream.concat(CONFIGURATION.stream(), Stream.of("FunctionName"))
                .collect(Collectors.toSet()),
            Set.of("Tags"),
            (_, function) -> configure(function))
        .changed(CONFIGURATION, (_, _, function) -> configure(function))
        .replaced("FunctionName", Set.of())
        .deleted((made, _) -> configured.remove(made.ref()));
    kinds
        .add(
            "AWS::Lambda::Version",
            Set.of("FunctionName"),
            Set.of(),
            (_, version) -> publish(version.text("FunctionName")))
        .replaced(Set.of("FunctionName"))
        .deleted((made, _) -> delete(made.ref().replace(FUNCTION, "")));
    kinds
        .add(
            "AWS::Lambda::Alias",
            Set.of("FunctionName", "FunctionVersion", "Name"),
            Set.of(),
            (_, alias) -> alias(alias))
        .changed(Set.of("FunctionVersion"), (made, _, alias) -> move(made, alias))
        .replaced(Set.of("FunctionName", "Name"))
        .deleted((made, _) -> deleteAlias(made.ref().replace(FUNCTION, "")));
  }

  private Made configure(Properties function) throws IOException {
    function.only("Runtime", "java25");
    Properties code = function.part("Code");
    code.knows(Set.of("S3Bucket", "S3Key"), Set.of());
    rights.require(function.text("Role"), "lambda.amazonaws.com", List.of(), "");
    String name = function.text("FunctionName");
    Map<String, String> variables = new HashMap<>(environment.apply(function.text("Role")));
    function
        .part("Environment")
        .json()
        .path("Variables")
        .properties()
        .forEach(variable -> variables.put(variable.getKey(), variable.getValue().asText()));
    variables.put("AWS_LAMBDA_FUNCTION_NAME", name);
    if (function.has("SnapStart")) {
      // It does what it does before a snapshot, and goes on from there.
      function.part("SnapStart").only("ApplyOn", "PublishedVersions");
      variables.put("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
    }
    configured.put(
        name,
        new Version(
            name,
            Version.LATEST,
            function.copy(CONFIGURATION),
            new Image(
                zip(code.text("S3Bucket"), code.text("S3Key")),
                name,
                function.text("Handler"),
                RunBy.MANAGED,
                variables),
            Duration.ofSeconds(function.number("Timeout")),
            function.text("Role")));
    return Made.withArn(name, FUNCTION + name);
  }

  private DeployedZip zip(String bucket, String key) throws IOException {
    DeployedZip known = zips.get(key);
    if (known != null) {
      return known;
    }
    Path file = work.resolve(key);
    objects.getObject(get -> get.bucket(bucket).key(key), file);
    DeployedZip zip =
        DeployedZip.unpack(file, Files.createDirectory(work.resolve(key + ".task")), _ -> true);
    zips.put(key, zip);
    return zip;
  }

  /** Another version of the function: it begins to start, as for a snapshot. */
  private Made publish(String function) {
    Version latest =
        Optional.ofNullable(configured.get(function)).orElseThrow(() -> unknown(function));
    versions(function)
        .reduce((_, later) -> later)
        .filter(last -> last.configuration().equals(latest.configuration()))
        .ifPresent(
            last -> {
              throw new Refused(
                  "A version for this Lambda function exists ( %s ). Modify the function to create a new version."
                      .formatted(last.number()));
            });
    Version version =
        latest.as(numbers.computeIfAbsent(function, _ -> new AtomicInteger()).incrementAndGet());
    versions.put(version.name(), version);
    functions.add(
        Lambda.running(
            version.name(),
            version.timeout().plus(WAIT_FOR_A_PROCESS),
            (event, _) -> run(version, event)));
    launches.begin(version);
    return new Made(FUNCTION + version.name(), Map.of("Version", version.number()));
  }

  /** The names of those there are. */
  Set<String> functions() {
    return Set.copyOf(configured.keySet());
  }

  /** The published versions of the function, the first one first. */
  Stream<Version> versions(String function) {
    return versions.values().stream()
        .filter(version -> version.function().equals(function))
        .sorted(Comparator.comparingInt(version -> Integer.parseInt(version.number())));
  }

  /** Waits until all that was published can be invoked. Refuses what cannot be started. */
  void awaitPublished() {
    launches.await();
  }

  /** Whoever invokes it already is answered still. */
  private void delete(String version) {
    if (isNamed(version)) {
      launches.await(); // the alias is about to move
    }
    if (isNamed(version)) {
      throw new Refused("An alias names the version %s.".formatted(version));
    }
    functions.remove(version);
    versions.remove(version);
    sandboxes.retire(version);
  }

  private boolean isNamed(String version) {
    return aliases.values().stream().anyMatch(named -> named.name().equals(version));
  }

  private Made alias(Properties alias) {
    String name = alias.text("FunctionName") + ":" + alias.text("Name");
    aliases.put(name, named(alias));
    functions.add(Lambda.running(name, LONGEST, (event, _) -> runCurrent(name, event)));
    return Made.named(FUNCTION + name);
  }

  private Version named(Properties alias) {
    String name = alias.text("FunctionName") + ":" + alias.text("FunctionVersion");
    return Optional.ofNullable(versions.get(name)).orElseThrow(() -> unknown(name));
  }

  private Made move(Made made, Properties alias) {
    Version next = named(alias);
    launches.whenReady(next, () -> move(made.ref().replace(FUNCTION, ""), next));
    return made;
  }

  private void move(String alias, Version next) {
    Version last = aliases.put(alias, next);
    if (last != null && !isNamed(last.name())) {
      sandboxes.retire(last.name());
    }
  }

  private void deleteAlias(String alias) {
    functions.remove(alias);
    aliases.remove(alias);
  }

  /** What aliases name, by their own names. */
  Map<String, Version> aliases() {
    return Map.copyOf(aliases);
  }

  private byte[] run(Version version, byte[] event) throws Exception {
    try {
      return sandboxes.invoke(version, event);
    } catch (FunctionFailed e) {
      throw e.getCause() instanceof TimeoutException timeout ? timeout : e;
    }
  }

  /** Has the version answer that the alias names now. */
  private byte[] runCurrent(String alias, byte[] event) throws Exception {
    Version version = Optional.ofNullable(aliases.get(alias)).orElseThrow(() -> unknown(alias));
    return run(version, event);
  }

  private static Refused unknown(String name) {
    return new Refused("There is no function %s.".formatted(name));
  }

  private Lambda find(String name) {
    return functions.named(name).orElseThrow(() -> unknown(name));
  }

  /** The function of the ARN, which may be invoked by whoever asks. */
  Lambda of(String arn) {
    return find(arn.replace(FUNCTION, ""));
  }

  /** The role that the function has. */
  String role(String arn) {
    String name = of(arn).name();
    return Optional.ofNullable(aliases.get(name))
        .or(() -> Optional.ofNullable(versions.get(name)))
        .orElseThrow(() -> unknown(name))
        .roleArn();
  }

  /** The function as a service invokes it on behalf of its source: if it has the permission. */
  Lambda of(String arn, String service, String sourceArn) {
    Lambda function = of(arn);
    return Lambda.running(
        function.name(),
        function.timeout(),
        (event, _) -> {
          if (!rights.mayInvoke(arn, service, sourceArn)) {
            throw new Refused("%s may not invoke %s for %s.".formatted(service, arn, sourceArn));
          }
          return function.invoke(event);
        });
  }
}
