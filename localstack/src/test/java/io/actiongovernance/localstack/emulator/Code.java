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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import software.amazon.awssdk.services.s3.S3Client;

/** Functions, their versions and aliases. Thread-safe. */
final class Code {
  private static final String FUNCTION = Aws.arn("lambda", "function:");

  /** For what Lambda does not count: a process that starts, and others that are before one. */
  private static final Duration WAIT_FOR_A_PROCESS = Duration.ofMinutes(2);

  private final S3Client objects;
  private final Path work;
  private final Sandboxes sandboxes;
  private final Functions functions;
  private final Rights rights;
  private final Function<String, Map<String, String>> environment;
  private final Map<String, Configured> configured = new ConcurrentHashMap<>();
  private final Queue<FutureTask<Void>> starting = new ConcurrentLinkedQueue<>();
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
    this.functions = functions;
    this.rights = rights;
    this.environment = environment;
  }

  private record Configured(Image image, Duration timeout, String roleArn) {}

  void addTo(Kinds kinds) {
    kinds.add(
        "AWS::Lambda::Function",
        Set.of(
            "FunctionName",
            "Handler",
            "Code",
            "Environment",
            "Timeout",
            "Role",
            "Runtime",
            "SnapStart"),
        Set.of("Architectures", "LoggingConfig", "MemorySize", "TracingConfig", "Tags"),
        (_, function) -> function(function));
    kinds.add(
        "AWS::Lambda::Version",
        Set.of("FunctionName"),
        Set.of(),
        (_, version) -> published(version.text("FunctionName")));
    kinds.add(
        "AWS::Lambda::Alias",
        Set.of("FunctionName", "FunctionVersion", "Name"),
        Set.of(),
        (_, alias) -> alias(alias));
  }

  private Made function(Properties function) throws IOException {
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
        new Configured(
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

  /** The only version of the function: it begins to start, as for a snapshot. */
  private Made published(String function) {
    String version = "1";
    Image image = add(function, version).image();
    FutureTask<Void> start =
        new FutureTask<>(
            () -> {
              sandboxes.prepare(image);
              return null;
            });
    starting.add(start);
    Thread.ofVirtual().name(function + "-start").start(start);
    return new Made(FUNCTION + function + ":" + version, Map.of("Version", version));
  }

  /** Waits until all that was published can be invoked. Refuses what cannot be started. */
  void awaitPublished() {
    try {
      for (FutureTask<Void> start : starting) {
        start.get();
      }
    } catch (ExecutionException e) {
      throw new Refused(
          "A function could not be started: %s".formatted(String.valueOf(e.getCause())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused("Interrupted");
    } finally {
      starting.clear();
    }
  }

  private Made alias(Properties alias) {
    String function = alias.text("FunctionName");
    find(function + ":" + alias.text("FunctionVersion"));
    add(function, alias.text("Name"));
    return Made.named(FUNCTION + function + ":" + alias.text("Name"));
  }

  private Configured add(String function, String qualifier) {
    Configured known =
        Optional.ofNullable(configured.get(function))
            .orElseThrow(() -> new Refused("There is no function %s.".formatted(function)));
    functions.add(
        Lambda.running(
            function + ":" + qualifier,
            known.timeout().plus(WAIT_FOR_A_PROCESS),
            (event, _) -> run(known, event)));
    return known;
  }

  private byte[] run(Configured function, byte[] event) throws Exception {
    try {
      return sandboxes.invoke(function.image(), event, function.timeout());
    } catch (FunctionFailed e) {
      throw e.getCause() instanceof TimeoutException timeout ? timeout : e;
    }
  }

  private Lambda find(String name) {
    return functions
        .named(name)
        .orElseThrow(() -> new Refused("There is no function %s.".formatted(name)));
  }

  /** The function of the ARN, which may be invoked by whoever asks. */
  Lambda of(String arn) {
    return find(arn.replace(FUNCTION, ""));
  }

  /** The role that the function has. */
  String role(String arn) {
    String name = of(arn).name();
    return Objects.requireNonNull(configured.get(name.substring(0, name.indexOf(':'))), name)
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
