package io.actiongovernance.localstack.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.api.client.AWSLambda;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import io.actiongovernance.localstack.aws.Aws;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.utilslite.SdkInternalThreadLocal;

/**
 * One function in a process of its own, as Lambda starts it: nothing on its class path but the
 * runtime and what the zip holds. It answers one event at a time. Thread-safe.
 */
public final class FunctionProcess implements AutoCloseable {
  /** Where the runtimes of Lambda have their JDK, as scripts in the zip call it. */
  private static final String LAMBDAS_JAVA = "/var/lang/bin/java";

  /** On a machine that others keep busy. An end in which classes are kept takes as long. */
  private static final Duration LONGEST_START = Duration.ofMinutes(3);

  /** Characters of its log that are told with a failure. */
  private static final int LONGEST_EXCERPT = 20_000;

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private final RuntimeApi api;
  private final Process process;
  private final Path log;
  private final long started;

  private FunctionProcess(RuntimeApi api, Process process, Path log, long started) {
    this.api = api;
    this.process = process;
    this.log = log;
    this.started = started;
    var unused = process.onExit().thenRun(() -> api.ended("Its process has ended: " + log()));
  }

  /** What runs a function. */
  public enum RunBy {
    /** The managed one: it loads the function by a class loader of its own. */
    MANAGED {
      @Override
      List<String> command(DeployedZip zip, String handler) {
        return List.of(
            "-D" + NativePart.PROPERTY + "=" + NativePart.FILE,
            "-cp",
            MANAGED_CLASSES,
            AWSLambda.class.getName(),
            handler);
      }
    },
    /** The same with the zip's jars on its own class path, as a container image may have them. */
    ON_ONE_PATH {
      @Override
      List<String> command(DeployedZip zip, String handler) {
        return List.of(
            "-D" + NativePart.PROPERTY + "=" + NativePart.FILE,
            "-Dlogback.configurationFile=" + zip.root().resolve("logback.xml"),
            "-cp",
            MANAGED_CLASSES + File.pathSeparator + zip.root().resolve("lib/*"),
            AWSLambda.class.getName(),
            handler);
      }
    },
    /** Our own, which the zip's script starts. */
    STREAMING {
      @Override
      List<String> command(DeployedZip zip, String handler) {
        try {
          String line =
              Files.readAllLines(zip.root().resolve("stream-runtime")).stream()
                  .filter(one -> one.startsWith("exec " + LAMBDAS_JAVA + " "))
                  .collect(Collectors.joining());
          return Stream.of(line.split(" "))
              .skip(2)
              .map(word -> word.replace("\"", "").replace("/var/task", zip.root().toString()))
              .toList();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };

    private static final String MANAGED_CLASSES =
        Stream.of(
                AWSLambda.class, Context.class, PojoSerializer.class, SdkInternalThreadLocal.class)
            .map(RunBy::jar)
            .collect(Collectors.joining(File.pathSeparator));

    /** What follows {@code java} and the options of the machine. */
    abstract List<String> command(DeployedZip zip, String handler);

    private static String jar(Class<?> inIt) {
      try {
        return Path.of(inIt.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * The native part of the runtime interface client, unpacked once. Left to itself each process
   * unpacks it to the same place, under the feet of those that have it mapped.
   */
  private static final class NativePart {
    static final String PROPERTY =
        "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";
    static final Path FILE = unpacked();

    private static Path unpacked() {
      String architecture = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
      String name = "/jni/libaws-lambda-jni.linux-" + architecture + ".so";
      try (InputStream library = AWSLambda.class.getResourceAsStream(name)) {
        Path file = Files.createTempFile("libaws-lambda-jni", ".so");
        file.toFile().deleteOnExit();
        Files.copy(
            Objects.requireNonNull(library, name), file, StandardCopyOption.REPLACE_EXISTING);
        return file;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * What to start.
   *
   * @param function its name, without the prefix
   * @param handler the handler, as the deployment says it
   * @param environment the variables that its deployment sets, endpoints included
   * @param options of the machine, beside those of the managed runtime
   */
  public record Image(
      DeployedZip zip,
      String function,
      String handler,
      RunBy runBy,
      Map<String, String> environment,
      List<String> options) {
    public Image {
      environment = Map.copyOf(environment);
      options = List.copyOf(options);
    }

    public Image(
        DeployedZip zip,
        String function,
        String handler,
        RunBy runBy,
        Map<String, String> environment) {
      this(zip, function, handler, runBy, environment, List.of());
    }

    /** The same, run by another. */
    public Image with(RunBy other) {
      return new Image(zip, function, handler, other, environment, options);
    }

    /** The same with one more option of the machine. */
    public Image withOption(String option) {
      List<String> more = new ArrayList<>(options);
      more.add(option);
      return new Image(zip, function, handler, runBy, environment, more);
    }

    /** The same with one more variable. */
    public Image withVariable(String name, String value) {
      Map<String, String> more = new HashMap<>(environment);
      more.put(name, value);
      return new Image(zip, function, handler, runBy, more, options);
    }

    /** Another function out of another zip in the same environment. */
    public Image of(DeployedZip otherZip, String otherHandler) {
      return new Image(otherZip, function, otherHandler, runBy, environment, options);
    }
  }

  /** Starts a process, and does not wait until it is ready. */
  public static FunctionProcess start(Image image, Path log) throws IOException {
    RuntimeApi api = new RuntimeApi(image.function());
    List<String> command = new ArrayList<>();
    command.add(JAVA);
    // As the managed runtime has them, and what FunctionMaker adds.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Dorg.crac.Core.Compat=com.amazonaws.services.lambda.crac");
    command.addAll(image.options());
    command.addAll(image.runBy().command(image.zip(), image.handler()));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(image.zip().root().toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_") || name.contains("JAVA"));
    environment.putAll(
        Map.of(
            "AWS_LAMBDA_RUNTIME_API",
            api.address(),
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
            "1024",
            "AWS_LAMBDA_FUNCTION_VERSION",
            "1",
            "AWS_LAMBDA_LOG_GROUP_NAME",
            "/aws/lambda/" + image.function(),
            "AWS_LAMBDA_LOG_STREAM_NAME",
            "local",
            "AWS_REGION",
            Aws.REGION.id(),
            "LAMBDA_TASK_ROOT",
            image.zip().root().toString(),
            "_HANDLER",
            image.handler()));
    environment.putAll(image.environment());
    long started = System.nanoTime();
    return new FunctionProcess(api, builder.start(), log, started);
  }

  /** How long it took until it was ready for its first event. */
  public Duration initialised() throws InterruptedException {
    try {
      return Duration.ofNanos(
          api.ready().get(LONGEST_START.toSeconds(), TimeUnit.SECONDS) - started);
    } catch (ExecutionException | TimeoutException e) {
      throw failed(e);
    }
  }

  /** The function's answer to an event. */
  public byte[] invoke(byte[] event, Duration timeout) throws InterruptedException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    stream(event, timeout, answer);
    return answer.toByteArray();
  }

  /** Has the function write its answer, as it comes, to the end. */
  public void stream(byte[] event, Duration timeout, OutputStream out) throws InterruptedException {
    CompletableFuture<Void> done = api.invoke(event, timeout, out);
    try {
      done.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      process.destroyForcibly(); // as Lambda does
      throw failed(e);
    } catch (ExecutionException e) {
      throw failed(e);
    }
  }

  /** Whether it can answer, now or once it is ready. */
  boolean isAlive() {
    return process.isAlive();
  }

  /** The memory that it has in use, in MB; only Linux tells. */
  public double residentMegabytes() throws IOException {
    try (Stream<String> status =
        Files.lines(Path.of("/proc", String.valueOf(process.pid()), "status"))) {
      return status
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .sum()
          / 1024.0;
    }
  }

  /** The processor's time that it has used so far, its compiler's and collector's included. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  /** Has it end in good order, as it does to write down what it has learnt. */
  public void end() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(LONGEST_START.toSeconds(), TimeUnit.SECONDS)) {
      throw new FunctionFailed("It did not end.\n" + log());
    }
  }

  private FunctionFailed failed(Exception e) {
    String why = e instanceof TimeoutException ? "It took too long." : e.getCause() + "";
    String log = log();
    return new FunctionFailed(
        why + "\n" + log.substring(Math.max(0, log.length() - LONGEST_EXCERPT)), e);
  }

  /** What it has logged. */
  public String log() {
    try {
      return Files.readString(log, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    api.close();
  }
}
