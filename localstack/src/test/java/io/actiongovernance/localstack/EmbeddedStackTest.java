package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.tenant.NewTenant;
import io.actiongovernance.store.StoredForm;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.eventbridge.model.PutEventsResponse;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * A stack as a whole: what it holds, what stands in its way, and how others reach what is in it.
 */
final class EmbeddedStackTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void aDataFolderIsHeldByOneStackAtATime() throws Exception {
    try (EmbeddedStack stack = TestService.start(folder)) {
      assertThatThrownBy(() -> TestService.start(folder))
          .isInstanceOf(DataFolder.InUse.class)
          .hasMessageContaining(folder.toString());
      assertThat(stack.baseUrl().getHost()).isEqualTo("localhost");
    }
    TestService.start(folder).close();
  }

  @Test
  void aDataFolderWithoutAFormNumberIsRefusedUntouched(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("governance.db"), "from before there were numbers");
    refuses(folder, "in form 1, written by an earlier build. This build reads form");
    assertThat(names(folder)).containsExactly("governance.db");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "-1; an earlier",
        "0; ",
        "1; a newer",
      })
  void aDataFolderIsUsedIfItsFormIsReadAndElseUntouched(
      int beyond, @Nullable String refused, @TempDir Path folder) throws Exception {
    int form = beyond < 0 ? StoredForm.OLDEST - 1 : StoredForm.NEWEST + beyond;
    Files.writeString(folder.resolve("format"), form + "\n");
    if (refused != null) {
      refuses(folder, "in form %d, written by %s build".formatted(form, refused));
      assertThat(names(folder)).containsExactly("format");
    } else {
      DataFolder.take(folder).close();
    }
    assertThat(folder.resolve("format")).hasContent(String.valueOf(form));
  }

  @Test
  void aDataFolderWhoseFormIsNoNumberIsRefused(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("format"), "four");
    refuses(folder, "does not hold a number: four");
  }

  @Test
  void aNewDataFolderIsMarkedWithTheWrittenForm(@TempDir Path folder) throws Exception {
    DataFolder.take(folder).close();
    assertThat(folder.resolve("format")).hasContent(String.valueOf(StoredForm.WRITTEN));
  }

  private static void refuses(Path folder, String why) {
    assertThatThrownBy(() -> DataFolder.take(folder))
        .isInstanceOf(DataFolder.OtherFormat.class)
        .hasMessageContaining(why);
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aPortInUseIsRefusedAndLeavesTheDataFolderFree() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      EmbeddedStack.Options options =
          new EmbeddedStack.Options(
              folder, other.getLocalPort(), Map.of(), TestService.of(), line -> {});
      assertThatThrownBy(() -> EmbeddedStack.start(options)).isInstanceOf(BindException.class);
    }
    TestService.start(folder).close();
  }

  @Test
  void theKeysOfTheFirstTenantOutliveARestart() throws Exception {
    Path data = folder.resolve("data");
    Credentials first;
    try (EmbeddedStack stack = start(data)) {
      first = stack.announce();
      assertThat(status(stack, first)).isEqualTo(200);
    }
    Path file = data.resolve("credentials.json");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(data.resolve("master.key"))))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwx------");
    try (EmbeddedStack stack = start(data)) {
      Credentials second = stack.announce();
      assertThat(second.keys()).isEqualTo(first.keys());
      assertThat(second.tenantId()).isEqualTo(first.tenantId());
      assertThat(second.baseUrl()).isEqualTo(stack.baseUrl());
      assertThat(status(stack, second)).isEqualTo(200);
    }
  }

  @Test
  void aTenantMadeInTheRunningStackHasKeysThatWork() throws Exception {
    try (EmbeddedStack stack = start(folder)) {
      NewTenant.Created tenant =
          stack.newTenant(
              new NewTenant("acme", "reseller-7", 10L, 5L, Map.of("management.read", 7)));
      Credentials credentials =
          new Credentials(
              stack.baseUrl(), stack.awsEndpointUrl(), tenant.tenantId(), tenant.keys());
      assertThat(status(stack, credentials)).isEqualTo(200);
    }
  }

  @Test
  void aFunctionIsInvokedThroughTheEndpoint() throws Exception {
    try (EmbeddedStack stack = start(folder)) {
      assertThat(invoke(stack, "create-tenant", "{\"name\":\"acme\"}").body())
          .contains("sk_live_", "sk_test_", "tenant_id");
      HttpResponse<String> refused = invoke(stack, "create-tenant", "{\"name\":7}");
      assertThat(refused.statusCode()).isEqualTo(200);
      assertThat(refused.headers().firstValue("X-Amz-Function-Error")).hasValue("Unhandled");
      assertThat(invoke(stack, "no-such-function", "{}").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void theEndpointAndTheFunctionsSeeTheSameTables() throws Exception {
    try (EmbeddedStack stack = TestService.start(folder);
        DynamoDbClient dynamo =
            Aws.client(DynamoDbClient.builder(), stack.awsEndpointUrl(), stack.awsCredentials());
        DynamoDbStreamsClient streams =
            Aws.client(
                DynamoDbStreamsClient.builder(), stack.awsEndpointUrl(), stack.awsCredentials())) {
      Map<String, AttributeValue> item =
          Map.of(
              "pk",
              AttributeValue.fromS("a"),
              "sk",
              AttributeValue.fromS("b"),
              "n",
              AttributeValue.fromN("7"));
      stack.wiring().clients().dynamo().putItem(r -> r.tableName("governance-limits").item(item));
      assertThat(
              dynamo
                  .getItem(
                      r ->
                          r.tableName("governance-limits")
                              .key(
                                  Map.of(
                                      "pk",
                                      AttributeValue.fromS("a"),
                                      "sk",
                                      AttributeValue.fromS("b"))))
                  .item())
          .isEqualTo(item);
      assertThatThrownBy(
              () ->
                  dynamo.putItem(
                      r ->
                          r.tableName("governance-limits")
                              .item(item)
                              .conditionExpression("attribute_not_exists(pk)")
                              .returnValuesOnConditionCheckFailure(
                                  ReturnValuesOnConditionCheckFailure.ALL_OLD)))
          .isInstanceOfSatisfying(
              ConditionalCheckFailedException.class,
              refused -> assertThat(refused.item()).isEqualTo(item));
      assertThatThrownBy(
              () ->
                  dynamo.transactWriteItems(
                      r -> r.transactItems(List.of(insertInto("governance-limits", item)))))
          .isInstanceOfSatisfying(
              TransactionCanceledException.class,
              refused ->
                  assertThat(refused.cancellationReasons().getFirst().code())
                      .isEqualTo("ConditionalCheckFailed"));
      assertThat(streams.listStreams().streams()).hasSize(3);
    }
  }

  @Test
  void anEventPutThroughTheEndpointReachesTheQueueOfItsRule() throws Exception {
    try (EmbeddedStack stack = TestService.start(folder);
        EventBridgeClient bus =
            Aws.client(
                EventBridgeClient.builder(), stack.awsEndpointUrl(), stack.awsCredentials());
        SqsClient sqs =
            Aws.client(SqsClient.builder(), stack.awsEndpointUrl(), stack.awsCredentials())) {
      PutEventsResponse answer =
          bus.putEvents(
              PutEventsRequest.builder()
                  .entries(
                      List.of(
                          fact("export.requested", "{\"partition\":\"t_1#live\"}"),
                          fact("plan.proposed", "{}"),
                          fact("export.requested", "no JSON")))
                  .build());
      assertThat(answer.failedEntryCount()).isEqualTo(1);
      assertThat(answer.entries().get(2).errorCode()).isEqualTo("MalformedDetail");
      String url = sqs.getQueueUrl(r -> r.queueName("governance-exports")).queueUrl();
      assertThat(URI.create(url).getPort()).isEqualTo(stack.awsEndpointUrl().getPort());
      List<Message> messages =
          sqs.receiveMessage(
                  r ->
                      r.queueUrl(url)
                          .maxNumberOfMessages(10)
                          .waitTimeSeconds(5)
                          .messageSystemAttributeNames(MessageSystemAttributeName.ALL))
              .messages();
      assertThat(messages)
          .singleElement()
          .satisfies(
              only -> {
                assertThat(only.body()).isEqualTo("{\"partition\":\"t_1#live\"}");
                assertThat(only.attributes())
                    .containsEntry(MessageSystemAttributeName.MESSAGE_GROUP_ID, "t_1#live");
              });
    }
  }

  @Test
  void stoppingLetsARequestInFlightFinish() throws Exception {
    EmbeddedStack stack = TestService.start(folder);
    try (HttpClient client = HttpClient.newHttpClient()) {
      CompletableFuture<HttpResponse<String>> slow =
          client.sendAsync(
              HttpRequest.newBuilder(stack.baseUrl().resolve("/v1/slow")).build(),
              BodyHandlers.ofString());
      TestService.await(() -> TestService.SLOW_REQUESTS.get() > 0);
      stack.close();
      assertThat(slow.get().statusCode()).isEqualTo(503);
    }
  }

  private static TransactWriteItem insertInto(String table, Map<String, AttributeValue> item) {
    return TransactWriteItem.builder()
        .put(put -> put.tableName(table).item(item).conditionExpression("attribute_not_exists(pk)"))
        .build();
  }

  private static PutEventsRequestEntry fact(String type, String detail) {
    return PutEventsRequestEntry.builder()
        .eventBusName("governance-facts")
        .source("governance")
        .detailType(type)
        .detail(detail)
        .build();
  }

  private static EmbeddedStack start(Path data) throws Exception {
    return EmbeddedStack.start(
        new EmbeddedStack.Options(data, 0, Map.of(), Service.governance(), line -> {}));
  }

  private static int status(EmbeddedStack stack, Credentials credentials) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(stack.baseUrl().resolve("/v1/keys"))
                  .header("Authorization", "Bearer " + credentials.keys().live())
                  .build(),
              BodyHandlers.ofString())
          .statusCode();
    }
  }

  private static HttpResponse<String> invoke(EmbeddedStack stack, String function, String event)
      throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(
                  stack
                      .awsEndpointUrl()
                      .resolve("/2015-03-31/functions/" + function + "/invocations"))
              .header("Authorization", signed(stack))
              .POST(BodyPublishers.ofString(event))
              .build(),
          BodyHandlers.ofString());
    }
  }

  private static String signed(EmbeddedStack stack) {
    String accessKey = stack.awsCredentials().resolveCredentials().accessKeyId();
    return "AWS4-HMAC-SHA256 Credential=" + accessKey + "/20261120/us-east-1/lambda/aws4_request";
  }

  /** A request that makes a tenant, with one line that a browser or a stranger would send. */
  private static String makingATenant(EmbeddedStack stack, String... headers) throws Exception {
    URI endpoint = stack.awsEndpointUrl();
    try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort())) {
      socket.setSoTimeout(10_000);
      String event = "{\"name\":\"acme\"}";
      String request =
          "POST /2015-03-31/functions/create-tenant/invocations HTTP/1.1\r\n"
              + String.join("\r\n", headers)
              + "\r\nConnection: close\r\nContent-Length: "
              + event.length()
              + "\r\n\r\n"
              + event;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void onlyTheOwnerReachesTheAwsEndpoint() throws Exception {
    try (EmbeddedStack stack = start(folder)) {
      int port = stack.awsEndpointUrl().getPort();
      String host = "Host: 127.0.0.1:" + port;
      String owner = "Authorization: " + signed(stack);
      for (String own : List.of(host, "Host: localhost:" + port)) {
        assertThat(makingATenant(stack, own, owner))
            .startsWith("HTTP/1.1 200")
            .contains("sk_live_");
      }
      // As a page sends it, and as one whose name was made to mean this machine.
      List<List<String>> strangers =
          List.of(
              List.of(host),
              List.of(host, "Authorization: Bearer x"),
              List.of(host, owner.replaceAll("=[0-9a-f]+/", "=local/")),
              List.of(host, owner, "Origin: https://evil.example"),
              List.of(host, owner, "Origin: null"),
              List.of("Host: evil.example:" + port, owner),
              List.of("Host: 127.0.0.1.evil.example:" + port, owner),
              List.of("Host: 127.0.0.1:" + (port + 1), owner));
      for (List<String> stranger : strangers) {
        assertThat(makingATenant(stack, stranger.toArray(String[]::new)))
            .as("%s", stranger)
            .startsWith("HTTP/1.1 403")
            .doesNotContain("sk_live_");
      }
    }
  }
}
