package io.actiongovernance.localstack.acceptance;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.Credentials;
import io.actiongovernance.localstack.Main;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * A stack in a process of its own, as {@code localstack/up} runs it, to be killed. Not thread-safe.
 */
final class StackProcess implements AutoCloseable {
  private final Process process;
  private final Path errors;
  private final URI baseUrl;
  private final URI awsEndpointUrl;
  private final Credentials.Aws accessKey;
  private final Instant readyAt;

  private StackProcess(Process process, Path errors, Credentials credentials) {
    this.process = process;
    this.errors = errors;
    this.baseUrl = credentials.baseUrl();
    this.awsEndpointUrl = credentials.awsEndpointUrl();
    this.accessKey = Objects.requireNonNull(credentials.aws());
    this.readyAt = Instant.now();
  }

  /** Starts one on a data folder, and returns when it answers requests. */
  static StackProcess start(Path data) throws IOException {
    return start(data, Map.of());
  }

  /** The same with further settings. */
  static StackProcess start(Path data, Map<String, String> further) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx512m",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "up",
            "--port",
            "0",
            "--data",
            data.toString());
    command.environment().put("DDB_LOCAL_TELEMETRY", "0");
    command.environment().put("GOVERNANCE_EGRESS_ALLOW", "127.0.0.0/8");
    command.environment().putAll(further);
    Path errors = data.resolveSibling(data.getFileName() + ".err");
    command.redirectError(errors.toFile());
    Process process = command.start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    BufferedReader said = process.inputReader();
    String line = said.readLine();
    while (line != null && !line.startsWith("Ready")) {
      line = said.readLine();
    }
    if (line == null) {
      process.destroyForcibly();
      throw new IllegalStateException("The stack did not start: " + Files.readString(errors));
    }
    Thread.startVirtualThread(() -> said.lines().forEach(rest -> {}));
    return new StackProcess(
        process,
        errors,
        Json.read(Files.readString(data.resolve("credentials.json")), Credentials.class));
  }

  URI baseUrl() {
    return baseUrl;
  }

  /** What it has written to standard error. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** When it was found to be ready. */
  Instant readyAt() {
    return readyAt;
  }

  /** Its database, as long as it runs. To be closed. */
  DynamoDbClient dynamo() {
    return Aws.client(DynamoDbClient.builder(), awsEndpointUrl, signer());
  }

  private StaticCredentialsProvider signer() {
    return StaticCredentialsProvider.create(
        AwsBasicCredentials.create(accessKey.accessKeyId(), accessKey.secretAccessKey()));
  }

  /** Makes a tenant whose limits no test meets, and yields its live key. */
  String newTenant(HttpClient client, String name) throws IOException, InterruptedException {
    return newTenant(client, Stack.unhurried(name)).keys().live();
  }

  /** Makes a tenant. */
  NewTenant.Created newTenant(HttpClient client, NewTenant wanted)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                awsEndpointUrl.resolve("/2015-03-31/functions/create-tenant/invocations"))
            .header("Authorization", "AWS4-HMAC-SHA256 Credential=" + accessKey.accessKeyId() + "/")
            .POST(BodyPublishers.ofString(Json.write(wanted)))
            .build();
    String answer = client.send(request, BodyHandlers.ofString()).body();
    return Json.read(answer, NewTenant.Created.class);
  }

  /** Kills it as the kernel would: it gets no chance to do anything more. */
  void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("The stack outlives being killed.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
