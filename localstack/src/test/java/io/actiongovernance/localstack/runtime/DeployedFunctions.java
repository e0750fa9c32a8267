package io.actiongovernance.localstack.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.access.PurposeKeys;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.Deployed;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.aws.KeySecrets;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.runtime.StreamRuntime;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import io.actiongovernance.localstack.runtime.FunctionProcess.RunBy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsServiceClientConfiguration;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * The functions of the zip over the services of a local stack, which they reach over HTTP as those
 * of AWS: each in a process of its own, started when it is first needed. Few run at once: what has
 * been idle longest makes room. Thread-safe.
 */
public final class DeployedFunctions implements AutoCloseable {
  private static final int MOST_PROCESSES = 24;
  private static final String SECRET = Aws.arn("secretsmanager", "secret:");

  private final DeployedZip zip;
  private final Wiring wiring;
  private final Map<String, String> environment;
  private final Path logs;
  private final HttpServer secrets;
  private final Set<String> called = new TreeSet<>();
  private final Map<String, List<Duration>> answers = new TreeMap<>();
  private final Map<String, Running> running = new LinkedHashMap<>(16, 0.75f, true);

  private @Nullable AotCache cache;

  private static final class Running {
    final FunctionProcess process;
    final Semaphore free = new Semaphore(1, true);
    int users;

    Running(FunctionProcess process) {
      this.process = process;
    }
  }

  /**
   * @param wiring of the stack, which knows where its services are
   * @param settings what else the functions' environments hold
   * @param logs a folder for what they log
   */
  public DeployedFunctions(DeployedZip zip, Wiring wiring, Map<String, String> settings, Path logs)
      throws IOException {
    this.zip = zip;
    this.wiring = wiring;
    this.logs = logs;
    this.secrets = secrets(wiring.settings().keys());
    this.environment = environment(wiring, settings, secrets);
  }

  /** Secrets Manager, as far as there is one: it knows the keys of purposes. */
  private static HttpServer secrets(PurposeKeys keys) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(Aws.LOOPBACK, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            String arn =
                Json.read(new String(exchange.getRequestBody().readAllBytes(), UTF_8))
                    .path("SecretId")
                    .asText();
            Purpose purpose = Purpose.of(arn.substring(SECRET.length())).orElseThrow();
            byte[] answer =
                "{\"ARN\":\"%s\",\"SecretString\":\"%s\"}"
                    .formatted(arn, keys.text(purpose))
                    .getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    server.start();
    return server;
  }

  private static Map<String, String> environment(
      Wiring wiring, Map<String, String> settings, HttpServer secrets) {
    AwsServiceClientConfiguration objects =
        wiring.clients().s3().get().serviceClientConfiguration();
    AwsServiceClientConfiguration timers =
        wiring.clients().stepFunctions().serviceClientConfiguration();
    AwsCredentialsIdentity identity =
        (AwsCredentialsIdentity) timers.credentialsProvider().resolveIdentity().join();
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("AWS_ENDPOINT_URL", address(timers));
    environment.put("AWS_ENDPOINT_URL_S3", address(objects));
    environment.put(
        "AWS_ENDPOINT_URL_SECRETS_MANAGER",
        "http://" + Aws.LOOPBACK + ":" + secrets.getAddress().getPort());
    environment.put("AWS_ACCESS_KEY_ID", identity.accessKeyId());
    environment.put("AWS_SECRET_ACCESS_KEY", identity.secretAccessKey());
    environment.put("GOVERNANCE_PREFIX", wiring.settings().prefix());
    // Nobody is there, and nothing is posted: its function is only made.
    environment.putIfAbsent(Settings.OTLP_ENDPOINT, "http://127.0.0.1:9");
    environment.put("GOVERNANCE_BASE_URL", wiring.settings().baseUrl().toString());
    environment.put("GOVERNANCE_EXPORTS_BUCKET", wiring.settings().exportsBucket());
    environment.put(Settings.CHANGES_BUCKET, wiring.settings().changesBucket());
    return environment;
  }

  private static String address(AwsServiceClientConfiguration client) {
    return client.endpointOverride().map(URI::toString).orElseThrow();
  }

  /** What a function is started from: one of a route, of a trigger, or that for unknown paths. */
  public Image image(String function) {
    Map<String, String> own = new HashMap<>(environment);
    own.put("AWS_LAMBDA_FUNCTION_NAME", wiring.settings().prefix() + "-" + function);
    Set<Purpose> opens = rights(function).opens();
    if (opens.isEmpty()) {
      own.put(Settings.MASTER_KEY, Settings.NO_MASTER_KEY);
    } else {
      own.put(
          KeySecrets.SECRETS,
          KeySecrets.named(
              opens.stream().collect(Collectors.toMap(one -> one, one -> SECRET + one.letter()))));
    }
    boolean streams =
        Routes.all().stream()
            .anyMatch(route -> route.streams() && route.operation().equals(function));
    return new Image(
        zip,
        function,
        streams ? StreamRuntime.class.getName() : handler(function),
        streams ? RunBy.STREAMING : RunBy.MANAGED,
        own);
  }

  private static Rights rights(String function) {
    return trigger(function)
        .map(Trigger::rights)
        .or(
            () ->
                Routes.all().stream()
                    .filter(route -> route.operation().equals(function))
                    .map(Route::rights)
                    .findFirst())
        .orElseGet(Needs::ofUnknownPaths);
  }

  private String handler(String function) {
    return trigger(function)
        .<Class<?>>map(Deployed::handlerOf)
        .orElse(Deployed.Api.class)
        .getName();
  }

  /** The trigger of a function, if it is none of a route. */
  private static Optional<Trigger> trigger(String function) {
    return Arrays.stream(Trigger.values())
        .filter(one -> one.binding().function().equals(function))
        .findFirst();
  }

  /** The functions that have answered an event, or begun to. */
  public Set<String> called() {
    synchronized (running) {
      return new TreeSet<>(called);
    }
  }

  /** How long each function that has answered took for each answer since it was restarted. */
  public Map<String, List<Duration>> answers() {
    synchronized (running) {
      Map<String, List<Duration>> copy = new TreeMap<>();
      answers.forEach((function, took) -> copy.put(function, List.copyOf(took)));
      return copy;
    }
  }

  /** The processor's time that each function's process has used since it was started. */
  public Map<String, Duration> processorTimes() {
    synchronized (running) {
      Map<String, Duration> times = new TreeMap<>();
      running.forEach((function, one) -> times.put(function, one.process.processorTime()));
      return times;
    }
  }

  /** The function's answer to an event. */
  public byte[] invoke(String function, byte[] event, Duration timeout)
      throws InterruptedException {
    Running one = enter(function);
    try {
      one.free.acquire();
      try {
        long began = System.nanoTime();
        byte[] answer = one.process.invoke(event, timeout);
        answered(function, Duration.ofNanos(System.nanoTime() - began));
        return answer;
      } finally {
        one.free.release();
      }
    } finally {
      leave(one);
    }
  }

  /** The same for callers that are not interrupted. */
  byte[] answer(String function, byte[] event, Duration timeout) {
    try {
      return invoke(function, event, timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FunctionFailed(function + " was interrupted.");
    }
  }

  /** Has the function write its answer, as it comes, to the end. */
  public void stream(String function, byte[] event, Duration timeout, OutputStream out)
      throws InterruptedException {
    Running one = enter(function);
    try {
      one.free.acquire();
      try {
        called(function);
        one.process.stream(event, timeout, out);
      } finally {
        one.free.release();
      }
    } finally {
      leave(one);
    }
  }

  private void called(String function) {
    synchronized (running) {
      called.add(function);
    }
  }

  private void answered(String function, Duration took) {
    synchronized (running) {
      called.add(function);
      answers.computeIfAbsent(function, _ -> new ArrayList<>()).add(took);
    }
  }

  private Running enter(String function) {
    synchronized (running) {
      Running one = running.get(function);
      if (one != null && !one.process.isAlive()) {
        one.process.close();
        running.remove(function);
        one = null;
      }
      if (one == null) {
        makeRoom();
        one = new Running(started(cached(image(function))));
        running.put(function, one);
      }
      one.users++;
      return one;
    }
  }

  private void leave(Running one) {
    synchronized (running) {
      one.users--;
      running.notifyAll();
    }
  }

  /** Returns when the function has nothing under way: to end it then has nothing come again. */
  public void awaitIdle(String function) throws InterruptedException {
    synchronized (running) {
      for (Running one = running.get(function);
          one != null && one.users > 0;
          one = running.get(function)) {
        running.wait();
      }
    }
  }

  private void makeRoom() {
    Iterator<Running> longestIdleFirst = running.values().iterator();
    while (running.size() >= MOST_PROCESSES && longestIdleFirst.hasNext()) {
      Running one = longestIdleFirst.next();
      if (one.users == 0) {
        one.process.close();
        longestIdleFirst.remove();
      }
    }
  }

  private Image cached(Image image) {
    return cache == null || image.runBy() != RunBy.MANAGED ? image : cache.used(image);
  }

  /** Has what is started from now on begin with what another has kept, to be ready sooner. */
  public void startFrom(AotCache kept) {
    synchronized (running) {
      cache = kept;
    }
  }

  private FunctionProcess started(Image image) {
    try {
      return FunctionProcess.start(image, logs.resolve(image.function() + ".log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Has the image's function be answered by a new process, in the place of the one it has. */
  public FunctionProcess restart(Image image) {
    synchronized (running) {
      Running old = running.remove(image.function());
      if (old != null) {
        old.process.close();
      }
      answers.remove(image.function());
      FunctionProcess process = started(image);
      running.put(image.function(), new Running(process));
      return process;
    }
  }

  @Override
  public void close() {
    synchronized (running) {
      running.values().forEach(one -> one.process.close());
      running.clear();
    }
    secrets.stop(0);
  }
}
