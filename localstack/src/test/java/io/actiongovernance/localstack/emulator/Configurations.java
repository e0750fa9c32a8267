package io.actiongovernance.localstack.emulator;

import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.runtime.DeployedZip;
import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import io.actiongovernance.localstack.runtime.FunctionProcess.RunBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;

/** Functions as they are configured, which a version is a picture of. Thread-safe. */
final class Configurations {
  /** What is said of a function whose versions start without a snapshot. */
  private static final String NONE = "None";

  /** LocalStack mounts a folder, whose path is the key, for a function from this bucket. */
  private static final String MOUNTED = "hot-reload";

  /** What the ARNs of functions begin with. */
  static final String ARN = Aws.arn("lambda", "function:");

  /** All that a version keeps, though some of it makes no difference here. */
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
  private final Rights rights;
  private final Function<String, Map<String, String>> environment;
  private final Like like;
  private final Map<String, Version> configured = new ConcurrentSkipListMap<>();
  private final AtomicInteger revisions = new AtomicInteger();
  private final Map<String, DeployedZip> zips = new ConcurrentHashMap<>();

  /**
   * @param environment of a function that has the role, besides its own
   */
  Configurations(
      S3Client objects,
      Path work,
      Rights rights,
      Function<String, Map<String, String>> environment,
      Like like) {
    this.objects = objects;
    this.work = work;
    this.rights = rights;
    this.environment = environment;
    this.like = like;
  }

  /**
   * @param code is told of each change
   */
  void addTo(Kinds kinds, Code code) {
    kinds
        .add(
            "AWS::Lambda::Function",
            Stream.concat(CONFIGURATION.stream(), Stream.of("FunctionName"))
                .collect(Collectors.toSet()),
            Set.of("Tags"),
            (_, function) -> {
              Made made = configure(function);
              code.configured(made.ref());
              return made;
            })
        .changed(
            CONFIGURATION,
            (made, _, function) -> {
              Version last = named(made.ref());
              Made now = configure(function);
              code.reconfigured(last);
              return now;
            })
        .replaced("FunctionName", Set.of())
        .deleted(
            (made, _) -> {
              code.removed(named(made.ref()));
              configured.remove(made.ref());
            });
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
    if (function.has("SnapStart") && !NONE.equals(function.part("SnapStart").text("ApplyOn"))) {
      // It does what it does before a snapshot, and goes on from there.
      function.part("SnapStart").only("ApplyOn", "PublishedVersions");
      variables.put("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start");
    }
    configured.put(
        name,
        new Version(
            name,
            Version.LATEST + "." + revisions.incrementAndGet(),
            function.copy(CONFIGURATION),
            new Image(
                zip(code.text("S3Bucket"), code.text("S3Key")),
                name,
                function.text("Handler"),
                RunBy.MANAGED,
                variables),
            Duration.ofSeconds(function.number("Timeout")),
            function.text("Role")));
    return Made.withArn(name, ARN + name);
  }

  private DeployedZip zip(String bucket, String key) throws IOException {
    if (like == Like.LOCALSTACK && bucket.equals(MOUNTED)) {
      Path folder = Path.of(key);
      if (!folder.isAbsolute()) {
        throw new Refused(
            "When using hot reloading, the archive key has to be an absolute path! Your archive key: "
                + key);
      }
      return new DeployedZip(folder);
    }
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

  /** The names of those there are. */
  Set<String> names() {
    return Set.copyOf(configured.keySet());
  }

  /** The function as it is configured now. */
  Version named(String function) {
    return Optional.ofNullable(configured.get(function))
        .orElseThrow(() -> new Refused("There is no function %s.".formatted(function)));
  }
}
