package io.actiongovernance.infra.rollback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.functions.route.StayAwake;
import io.actiongovernance.infra.rollback.PublishedVersions.Alias;
import io.actiongovernance.infra.rollback.PublishedVersions.State;
import io.actiongovernance.infra.rollback.PublishedVersions.Version;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * What is asked of Lambda, and how its answers are read: an HTTP server answers as AWS's reference
 * has it. Lambda itself was not asked.
 */
final class LambdaVersionsTest {
  private static final String ARN = "arn:aws:lambda:eu-west-1:111122223333:function:";
  private static final String FUNCTIONS = "/2015-03-31/functions";

  private final Map<String, Deque<String>> answers = new HashMap<>();
  private final List<String> asked = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private HttpServer server;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private LambdaClient client;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private LambdaVersions versions;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        LambdaClient.builder()
            .region(Region.EU_WEST_1)
            .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")))
            .httpClient(UrlConnectionHttpClient.create())
            .build();
    versions = new LambdaVersions(client, "111122223333");
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  /** An answer of this form is an error: its status, its type and what it says. */
  private static String error(int status, String type) {
    return status + " " + type;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      asked.add((call + " " + body).strip());
      String answer = Objects.requireNonNull(answers.get(call), call).remove();
      int status = answer.startsWith("{") ? 200 : Integer.parseInt(answer.substring(0, 3));
      if (status != 200) {
        exchange.getResponseHeaders().add("X-Amzn-ErrorType", answer.substring(4));
        answer = "{\"Message\":\"not now\"}";
      }
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private void answers(String call, String... all) {
    answers.put(call, new ArrayDeque<>(List.of(all)));
  }

  private static String function(String name) {
    return "{\"FunctionName\":\"%s\",\"FunctionArn\":\"%s\"}".formatted(name, ARN + name);
  }

  @Test
  void functionsAreListedPageByPageAndThrottledCallsRetried() {
    answers(
        "GET " + FUNCTIONS,
        "{\"Functions\":[%s,%s],\"NextMarker\":\"m\"}"
            .formatted(function("p-b"), function("other")));
    answers(
        "GET " + FUNCTIONS + "?Marker=m",
        error(429, "TooManyRequestsException"),
        error(429, "TooManyRequestsException"),
        "{\"Functions\":[%s]}".formatted(function("p-a")));
    assertThat(versions.functions("p-")).containsExactly("p-a", "p-b");
    assertThat(asked).hasSize(4);
  }

  @Test
  void theFunctionsOfAnotherAccountAreRefused() {
    answers(
        "GET " + FUNCTIONS,
        "{\"Functions\":[%s]}".formatted(function("p-a").replace("111122223333", "444455556666")));
    assertThatThrownBy(() -> versions.functions("p-"))
        .hasMessageContaining("444455556666")
        .hasMessageContaining("in the account 111122223333");
  }

  @Test
  void aliasesHaveTheirVersionsAndSharesExceptTheUnpublishedOne() {
    answers(
        "GET " + FUNCTIONS + "/f/aliases",
        """
        {"Aliases":[
          {"Name":"live","FunctionVersion":"2","RevisionId":"r",
           "RoutingConfig":{"AdditionalVersionWeights":{"3":0.1}}},
          {"Name":"previous","FunctionVersion":"1","RevisionId":"s"},
          {"Name":"tried","FunctionVersion":"$LATEST","RevisionId":"t"}]}
        """
            .strip());
    assertThat(versions.aliases("f"))
        .isEqualTo(
            Map.of(
                "live", new Alias("live", 2, Set.of(3), "r"),
                "previous", new Alias("previous", 1, Set.of(), "s")));
  }

  @Test
  void publishedVersionsAreListedPageByPage() {
    answers(
        "GET " + FUNCTIONS + "/f/versions",
        "{\"Versions\":[{\"Version\":\"$LATEST\"},{\"Version\":\"1\"}],\"NextMarker\":\"m\"}");
    answers("GET " + FUNCTIONS + "/f/versions?Marker=m", "{\"Versions\":[{\"Version\":\"12\"}]}");
    assertThat(versions.versions("f")).containsExactly(1, 12);
  }

  @Test
  void onlyAnInactiveVersionWithASnapshotIsAsleep() {
    String snapshot = ",\"SnapStart\":{\"ApplyOn\":\"PublishedVersions\"}";
    assertThat(state("Active", snapshot)).isEqualTo(State.READY);
    assertThat(state("Pending", snapshot)).isEqualTo(State.STARTING);
    assertThat(state("Failed", snapshot)).isEqualTo(State.FAILED);
    assertThat(state("Inactive", snapshot)).isEqualTo(State.ASLEEP);
    assertThat(state("Inactive", ",\"SnapStart\":{\"ApplyOn\":\"None\"}")).isEqualTo(State.READY);
  }

  private State state(String state, String more) {
    answers(
        "GET " + FUNCTIONS + "/f?Qualifier=7",
        "{\"Configuration\":{\"Description\":\"d\",\"State\":\"%s\"%s}}".formatted(state, more));
    Version version = versions.version("f", 7);
    assertThat(version.description()).isEqualTo("d");
    return version.state();
  }

  @Test
  void wakingSendsAHarmlessEventAndReportsLambdasRefusal() {
    String call = "POST " + FUNCTIONS + "/f/invocations?Qualifier=7";
    answers(call, error(409, "SnapStartNotReadyException"), "{}");
    versions.wake("f", 7);
    versions.wake("f", 7);
    assertThat(asked).hasSize(2).containsOnly(call + " " + StayAwake.EVENT);
    answers(call, error(403, "AccessDeniedException"));
    assertThatThrownBy(() -> versions.wake("f", 7)).hasMessageContaining("not now");
  }

  @Test
  void anAliasIsMovedWholeAndOnlyIfUnchangedSinceItsRead() {
    String call = "PUT " + FUNCTIONS + "/f/aliases/live";
    answers(call, "{}", error(412, "PreconditionFailedException"));
    Alias live = new Alias("live", 2, Set.of(3), "r");
    versions.move("f", live, 1);
    assertThat(asked)
        .containsExactly(
            call
                + " {\"FunctionVersion\":\"1\",\"RoutingConfig\":{\"AdditionalVersionWeights\":{}},"
                + "\"RevisionId\":\"r\"}");
    assertThatThrownBy(() -> versions.move("f", live, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("live of f has changed");
  }

  @Test
  void anAliasIsCreatedAndAVersionDeletedByItsNumber() {
    answers("POST " + FUNCTIONS + "/f/aliases", "{}");
    versions.name("f", "previous", 1);
    answers("DELETE " + FUNCTIONS + "/f?Qualifier=1", error(409, "ResourceConflictException"));
    assertThat(versions.delete("f", 1))
        .hasValueSatisfying(why -> assertThat(why).contains("not now"));
    answers("DELETE " + FUNCTIONS + "/f?Qualifier=1", "{}");
    assertThat(versions.delete("f", 1)).isEmpty();
    assertThat(asked.getFirst())
        .isEqualTo(
            "POST " + FUNCTIONS + "/f/aliases {\"Name\":\"previous\",\"FunctionVersion\":\"1\"}");
  }
}
