package io.actiongovernance.localstack.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Makes the CDK app describe the environment {@code localstack}. The app runs in its own process,
 * so that runs without a deployment need neither the app nor its dependencies. It does not run if
 * the folder holds its output for the same inputs.
 */
public final class Synthesis {
  /** Prefix of this process's settings that are passed to functions. */
  private static final String SETTING = "GOVERNANCE_";

  /** Setting whose change publishes every function again. Functions know it by the same name. */
  private static final String RESTART = "GOVERNANCE_RESTART";

  /**
   * Setting that gives each route its own function if it is {@code true}; otherwise the deployment
   * is lean.
   */
  public static final String FULL = "GOVERNANCE_FULL";

  /**
   * Setting that names the folder that LocalStack mounts as the code of functions, instead of the
   * zip.
   */
  public static final String CODE = "GOVERNANCE_CODE";

  /** Setting with the address of S3 for functions, under the name that AWS's own tools use. */
  private static final String OBJECTS = "AWS_ENDPOINT_URL_S3";

  static final String ZIP = "functions/target/functions-lambda.zip";

  /** File that records the inputs from which the folder was made. */
  private static final String INPUTS = "inputs.sha256";

  private Synthesis() {}

  public static final class Failed extends IOException {
    Failed(String message) {
      super(message);
    }
  }

  /**
   * Makes the assembly, or reads the existing one if the folder holds it for the same inputs.
   *
   * @param root the project's folder, in which the app and the functions' zip are built
   * @param endpoint the address at which the service will be reached
   * @param settings the functions' settings, by name, and the address of S3 for functions if it is
   *     not LocalStack's own name for it; all other entries are ignored
   * @param out the folder to write to
   */
  public static Assembly synthesise(Path root, URI endpoint, Map<String, String> settings, Path out)
      throws IOException, InterruptedException {
    Path app = root.resolve("infra-cdk");
    ObjectNode context =
        (ObjectNode) Json.read(Files.readString(app.resolve("cdk.json"))).path("context");
    context.put("env", "localstack").put("endpoint", endpoint.toString());
    settings.forEach(
        (name, value) -> {
          if (name.equals(RESTART)) {
            context.put("restart", value);
          } else if (name.equals(FULL)) {
            context.put("full", value);
          } else if (name.equals(CODE)) {
            context.put("code", value);
          } else if (name.startsWith(SETTING)) {
            context.put(name, value);
          } else if (name.equals(OBJECTS)) {
            context.put("objects", value);
          }
        });
    Files.createDirectories(out);
    Path known = out.resolve(INPUTS);
    String inputs = inputs(root, context);
    if (Files.exists(known) && Files.readString(known).equals(inputs)) {
      return Assembly.read(out);
    }
    Files.deleteIfExists(known);
    Path said = out.resolve("synth.log");
    ProcessBuilder command =
        new ProcessBuilder(app.resolve("synth").toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    command.environment().put("CDK_OUTDIR", out.toString());
    command.environment().put("CDK_CONTEXT_JSON", Json.write(context));
    if (command.start().waitFor() != 0) {
      throw new Failed("The CDK app failed: " + reason(said) + " Its whole output is in " + said);
    }
    Files.writeString(known, inputs);
    return Assembly.read(out);
  }

  /**
   * Returns one hash of everything that the templates depend on: the context, the files of
   * environments, and the app with its class path. The functions' zip is included, because
   * templates name it by its content.
   */
  private static String inputs(Path root, ObjectNode context) throws IOException {
    Path app = root.resolve("infra-cdk");
    List<Path> inputs = new ArrayList<>();
    inputs.add(app.resolve("environments"));
    inputs.add(app.resolve("target/classes"));
    inputs.add(root.resolve(ZIP));
    Path classpath = app.resolve("target/app.classpath");
    if (Files.exists(classpath)) {
      for (String entry : Files.readString(classpath).strip().split(":")) {
        inputs.add(Path.of(entry));
      }
    }
    MessageDigest hash = sha256();
    hash.update(Json.write(context).getBytes(UTF_8));
    for (Path input : inputs) {
      if (!Files.exists(input)) {
        continue; // The app reports what is missing.
      }
      try (Stream<Path> files = Files.walk(input, FileVisitOption.FOLLOW_LINKS)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          hash.update(file.toString().getBytes(UTF_8));
          hash.update(Files.readAllBytes(file));
        }
      }
    }
    return HexFormat.of().formatHex(hash.digest());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  /** Returns the line that names the problem, or else the last line. */
  private static String reason(Path said) throws IOException {
    List<String> lines = Files.readAllLines(said).stream().filter(line -> !line.isBlank()).toList();
    return lines.stream()
        .filter(line -> line.startsWith("Exception in thread") || line.startsWith("error: "))
        .findFirst()
        .orElse(lines.isEmpty() ? "it printed nothing." : lines.getLast())
        .replaceFirst("^(Exception in thread \"main\" [\\w.$]+: |error: )", "");
  }
}
