package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Table;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.KmsException;

/**
 * A stack that seals what it stores under data keys: what is in its tables, that it opens after a
 * restart, and what goes on while KMS answers nobody.
 */
final class DataKeysSpec {
  private static final String ENDPOINTS = "/v1/webhook_endpoints";
  private static final String ENDPOINT =
      "{\"url\":\"https://127.0.0.1:1/%s\",\"types\":[\"plan.proposed\"]}";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final AtomicBoolean away = new AtomicBoolean();

  private EmbeddedStack start() throws Exception {
    Map<String, String> settings = new HashMap<>(Walk.SETTINGS);
    settings.put("GOVERNANCE_DATA_KEYS", "seal");
    return EmbeddedStack.start(
        new EmbeddedStack.Options(
            folder,
            0,
            settings,
            PerFunction.service((_, _, wiring) -> throttled(wiring)),
            line -> {}));
  }

  private Wiring throttled(Wiring wiring) {
    Clients clients = wiring.clients();
    KmsClient kms =
        Intercepted.client(
            KmsClient.class,
            clients.kms().get(),
            (request, proceed) -> {
              if (away.get()) {
                throw KmsException.builder()
                    .statusCode(400)
                    .awsErrorDetails(
                        AwsErrorDetails.builder().errorCode("ThrottlingException").build())
                    .build();
              }
              return proceed.with(request);
            });
    return Composition.of(
        wiring.settings(),
        new Clients(
            clients.dynamo(),
            clients.sqs(),
            clients.events(),
            clients.stepFunctions(),
            clients.s3(),
            clients.presigner(),
            () -> kms),
        wiring.clock(),
        wiring.ids(),
        new DynamoStore(clients.dynamo(), wiring.settings().prefix()));
  }

  private static Walk.Answered make(AdminCalls calls, String idempotencyKey) throws Exception {
    return calls.request(
        "POST",
        ENDPOINTS,
        ENDPOINT.formatted(idempotencyKey),
        null,
        "Idempotency-Key",
        idempotencyKey);
  }

  private static int endpoints(AdminCalls calls) throws Exception {
    Walk.Answered listed = calls.send("GET", ENDPOINTS, null, null);
    assertThat(listed.status()).isEqualTo(200);
    return Json.read(listed.body()).path("data").size();
  }

  @Test
  void storedDataIsSealedUnderDataKeysAndOpensAfterARestart() throws Exception {
    Walk.Answered first;
    try (EmbeddedStack stack = start()) {
      AdminCalls calls = new AdminCalls(stack.baseUrl(), stack.announce().keys().live());
      first = make(calls, "one");
      assertThat(first.status()).as(first.body()).isEqualTo(201);
      assertThat(texts(stack, Table.STATE, "#webhook-endpoint", "doc"))
          .singleElement()
          .asString()
          .contains("\"2w");
      assertThat(texts(stack, Table.IDEMPOTENCY, "", "data"))
          .singleElement()
          .asString()
          .startsWith("2a");
      assertThat(texts(stack, Table.STATE, "#data-key", "sk"))
          .containsExactlyInAnyOrder("webhook-secret", "answer");
    }
    try (EmbeddedStack stack = start()) {
      AdminCalls calls = new AdminCalls(stack.baseUrl(), stack.announce().keys().live());
      assertThat(make(calls, "one")).isEqualTo(new Walk.Answered(200, first.body()));
      try (Walk walk = new Walk(calls)) {
        walk.approval();
      }
    }
  }

  @Test
  void withoutKmsWritesAreRefusedAndSucceedOnRetryLater() throws Exception {
    Walk.Answered first;
    try (EmbeddedStack stack = start()) {
      first = make(new AdminCalls(stack.baseUrl(), stack.announce().keys().live()), "one");
    }
    try (EmbeddedStack stack = start()) {
      AdminCalls calls = new AdminCalls(stack.baseUrl(), stack.announce().keys().live());
      away.set(true);
      for (String key : List.of("one", "two")) {
        Walk.Answered answer = make(calls, key);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(Json.read(answer.body()).at("/error/code").asText())
            .isEqualTo("service_unavailable");
      }
      assertThat(endpoints(calls)).isEqualTo(1);
      away.set(false);
      assertThat(make(calls, "one")).isEqualTo(new Walk.Answered(200, first.body()));
      assertThat(make(calls, "two").status()).isEqualTo(201);
      assertThat(endpoints(calls)).isEqualTo(2);
    }
  }

  /** That attribute of the rows that have it, of the partitions that end so. */
  private static List<String> texts(
      EmbeddedStack stack, Table table, String ending, String attribute) {
    String name = table.wireName(stack.wiring().settings().prefix());
    return stack
        .wiring()
        .clients()
        .dynamo()
        .scanPaginator(scan -> scan.tableName(name))
        .items()
        .stream()
        .filter(
            row -> row.values().stream().map(AttributeValue::s).anyMatch(one -> ends(one, ending)))
        .filter(row -> row.containsKey(attribute))
        .map(row -> row.get(attribute).s())
        .toList();
  }

  private static boolean ends(@org.jspecify.annotations.Nullable String text, String ending) {
    return text != null && text.endsWith(ending);
  }
}
