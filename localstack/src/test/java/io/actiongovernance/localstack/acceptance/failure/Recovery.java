package io.actiongovernance.localstack.acceptance.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.functions.trigger.RecoverClaimsFunction;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What {@code infra-cdk/recover} does, with a service of which nothing runs by itself: first it
 * says what it would do, then it does it, then nothing is left to do.
 */
record Recovery(Path data, String authority, TableNames tables, Consumer<String> say) {
  private static final Set<String> OPEN = Set.of("INTENT", "PACED");

  /** Of lost claims, since that second. */
  void ofClaims(Instant since) throws Exception {
    Instant until = Instant.now();
    run((stack, function, apply) -> steps(function, partitions(stack), since, until, apply));
  }

  /** Of lost actions, once no call can be under way any more. */
  void ofActions() throws Exception {
    Await.pause(KernelTimes.LEASE);
    run(
        (stack, function, apply) -> {
          Map<String, Integer> counts = new TreeMap<>();
          List<String> claims = openClaims(stack);
          if (!claims.isEmpty()) {
            all(function, Map.of("claims", claims), apply, counts);
          }
          return counts;
        });
  }

  private interface Steps {
    Map<String, Integer> take(EmbeddedStack stack, RecoverClaimsFunction function, boolean apply);
  }

  private void run(Steps steps) throws Exception {
    Service all = Service.governance();
    Service stopped =
        new Service(
            all.resources(), all.api(), all.timeout(), all.streams(), all.stream(), List.of());
    Map<String, String> settings =
        Map.of("GOVERNANCE_TABLE_GENERATIONS", tables.text(), "GOVERNANCE_EGRESS_CA", authority);
    try (EmbeddedStack stack =
        EmbeddedStack.start(new EmbeddedStack.Options(data, 0, settings, stopped, line -> {}))) {
      RecoverClaimsFunction function = new RecoverClaimsFunction(stack.wiring());
      Map<String, Integer> would = steps.take(stack, function, false);
      assertThat(steps.take(stack, function, true)).isEqualTo(would);
      assertThat(steps.take(stack, function, true)).isEmpty();
      say.accept("lost, made up for: " + would);
    }
  }

  private List<String> partitions(EmbeddedStack stack) {
    return scan(stack, Table.LIMITS)
        .map(row -> Objects.requireNonNull(row.get(Tables.PARTITION)).s())
        .filter(key -> key.endsWith("#allowance"))
        .map(key -> key.replace("#allowance", ""))
        .toList();
  }

  private List<String> openClaims(EmbeddedStack stack) {
    return scan(stack, Table.EFFECTS)
        .filter(row -> OPEN.contains(Objects.requireNonNull(row.get("state")).s()))
        .map(row -> Objects.requireNonNull(row.get(Tables.PARTITION)).s())
        .toList();
  }

  private Stream<Map<String, AttributeValue>> scan(EmbeddedStack stack, Table table) {
    try (DynamoDbClient dynamo =
        Aws.client(DynamoDbClient.builder(), stack.awsEndpointUrl(), stack.awsCredentials())) {
      return dynamo.scanPaginator(scan -> scan.tableName(tables.of(table))).items().stream()
          .toList()
          .stream();
    }
  }

  private static Map<String, Integer> steps(
      RecoverClaimsFunction function,
      List<String> partitions,
      Instant since,
      Instant until,
      boolean apply) {
    Map<String, Integer> counts = new TreeMap<>();
    for (String partition : partitions) {
      all(function, Map.of("partition", partition, "since", since.toString()), apply, counts);
    }
    for (int shard = 0; shard < DueIndex.SHARDS; shard++) {
      all(function, Map.of("shard", shard, "until", until.toString()), apply, counts);
    }
    return counts;
  }

  private static void all(
      RecoverClaimsFunction function,
      Map<String, Object> input,
      boolean apply,
      Map<String, Integer> counts) {
    Map<String, Object> next = new HashMap<>(input);
    next.put("apply", apply);
    String from;
    do {
      JsonNode answer = Json.tree(function.handleRequest(next, null));
      answer
          .path("found")
          .forEach(found -> counts.merge(found.path("kind").asText(), 1, Integer::sum));
      from = answer.path("next").textValue();
      if (from != null) {
        next.put("from", from);
      }
    } while (from != null);
  }
}
