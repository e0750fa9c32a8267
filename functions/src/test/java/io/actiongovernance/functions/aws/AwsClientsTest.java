package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;

/** A service that takes every connection, and then does not answer as a service does. */
@Timeout(60) // What has no limit goes on for ever here.
final class AwsClientsTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final Semaphore taken = new Semaphore(0);
  private ServerSocket service;

  @BeforeEach
  void listen() throws IOException {
    service = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    service.close();
    for (Socket connection : connections) {
      connection.close();
    }
  }

  /** What is done with a connection. */
  private interface Manner {
    void with(Socket connection) throws IOException, InterruptedException;
  }

  private void serve(Manner manner) {
    Thread.ofVirtual()
        .start(
            () -> {
              while (!service.isClosed()) {
                try {
                  Socket connection = service.accept();
                  connections.add(connection);
                  taken.release();
                  Thread.ofVirtual().start(() -> attend(connection, manner));
                } catch (IOException e) {
                  return; // The test is over.
                }
              }
            });
  }

  /** The last of them may have been taken by the machine alone when its client gives up. */
  private void requireConnections(int number) throws InterruptedException {
    assertThat(taken.tryAcquire(number, 10, TimeUnit.SECONDS)).isTrue();
    assertThat(taken.availablePermits()).isZero();
  }

  private static void attend(Socket connection, Manner manner) {
    try {
      manner.with(connection);
    } catch (IOException | InterruptedException e) {
      // The client has gone.
    }
  }

  private AwsClients.Maker maker(Duration silence, Duration whole) {
    TimeLimits limits = new TimeLimits(Duration.ofSeconds(5), silence, whole);
    return new AwsClients.Maker(
        limits,
        limits.http(),
        builder ->
            builder
                .endpointOverride(URI.create("http://127.0.0.1:" + service.getLocalPort()))
                .region(Region.US_EAST_1)
                .credentialsProvider(
                    StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b"))));
  }

  /** A request to each of the services. */
  private interface Request {
    void by(Clients clients, AwsClients.Maker requests);
  }

  static Stream<Arguments> requests() {
    Map<String, AttributeValue> key = Map.of("pk", AttributeValue.fromS("p"));
    return Stream.of(
        request("DynamoDB", (by, _) -> by.dynamo().getItem(get -> get.tableName("table").key(key))),
        request("SQS", (by, _) -> by.sqs().getQueueUrl(get -> get.queueName("queue"))),
        request(
            "EventBridge",
            (by, _) ->
                by.events().putEvents(put -> put.entries(PutEventsRequestEntry.builder().build()))),
        request(
            "Step Functions",
            (by, _) ->
                by.stepFunctions()
                    .startExecution(start -> start.stateMachineArn("arn").name("name"))),
        request(
            "S3",
            (by, _) ->
                by.s3()
                    .get()
                    .putObject(
                        put -> put.bucket("bucket").key("key"), RequestBody.fromString("body"))),
        request(
            "Secrets Manager",
            (_, requests) -> {
              try (SecretsManagerClient secrets = AwsClients.secrets(requests)) {
                var unused = secrets.getSecretValue(get -> get.secretId("secret"));
              }
            }));
  }

  private static Arguments request(String name, Request request) {
    return Arguments.argumentSet(name, request);
  }

  @ParameterizedTest
  @MethodSource("requests")
  void aSilentServiceIsGivenUpAfterThreeAttempts(Request request) throws InterruptedException {
    serve(connection -> {});
    AwsClients.Maker impatient = maker(Duration.ofMillis(50), LONG);
    try (Clients clients = AwsClients.by(impatient, impatient)) {
      assertThatExceptionOfType(SdkClientException.class)
          .isThrownBy(() -> request.by(clients, impatient))
          .withRootCauseInstanceOf(SocketTimeoutException.class)
          .satisfies(given -> assertThat(given.numAttempts()).isEqualTo(3));
    }
    requireConnections(3);
  }

  @ParameterizedTest
  @MethodSource("requests")
  void anEndlessAnswerIsGivenUpAtTheWholeTimeLimit(Request request) throws InterruptedException {
    serve(
        connection -> {
          OutputStream answer = connection.getOutputStream();
          answer.write("HTTP/1.1 200 OK\r\nX-Endless: ".getBytes(StandardCharsets.US_ASCII));
          while (true) {
            answer.write('a');
            answer.flush();
            Thread.sleep(10);
          }
        });
    AwsClients.Maker impatient = maker(LONG, Duration.ofMillis(200));
    try (Clients clients = AwsClients.by(impatient, impatient)) {
      assertThatExceptionOfType(ApiCallTimeoutException.class)
          .isThrownBy(() -> request.by(clients, impatient));
    }
    requireConnections(1);
  }

  @Test
  void aSilentAttemptTakesTwoSecondsAndTenForTheBucket() {
    assertThat(TimeLimits.ofRequests().silence()).isLessThanOrEqualTo(Duration.ofSeconds(2));
    assertThat(TimeLimits.ofRequests().connection()).isLessThanOrEqualTo(Duration.ofSeconds(2));
    assertThat(TimeLimits.ofObjects().silence()).isLessThanOrEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void allUnansweredAttemptsFitIntoTheWholeTimeLimit() {
    for (TimeLimits limits : List.of(TimeLimits.ofRequests(), TimeLimits.ofObjects())) {
      assertThat(limits.silence().multipliedBy(TimeLimits.ATTEMPTS)).isLessThan(limits.whole());
      assertThat(limits.connection().multipliedBy(TimeLimits.ATTEMPTS)).isLessThan(limits.whole());
    }
  }
}
