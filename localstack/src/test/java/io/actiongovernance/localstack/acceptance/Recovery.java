package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.due.Due;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.functions.trigger.RecoverClaimsFunction;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * What {@code infra-cdk/lost-claims} does, with a service of which nothing runs by itself: first it
 * says what it would do, then it does it, then nothing is left to do.
 */
record Recovery(Path data, String authority, TableNames tables, Consumer<String> say) {
  void run(Instant since) throws Exception {
    Service all = Service.governance();
    Service stopped =
        new Service(all.resources(), all.api(), all.timeout(), all.streams(), all.stream(), List.of());
    Map<String, String> settings =
        Map.of("GOVERNANCE_TABLE_GENERATIONS", tables.text(), "GOVERNANCE_EGRESS_CA", authority);
    try (EmbeddedStack stack =
        EmbeddedStack.start(new EmbeddedStack.Options(data, 0, settings, stopped, line -> {}))) {
      RecoverClaimsFunction function = new RecoverClaimsFunction(stack.wiring());
      List<String> partitions = partitions(stack);
      Instant until = Instant.now();
      Map<String, Integer> would = steps(function, partitions, since, until, false);
      assertThat(steps(function, partitions, since, until, true)).isEqualTo(would);
      assertThat(steps(function, partitions, since, until, true)).isEmpty();
      say.accept("lost claims made up for: " + would);
    }
  }

  private List<String> partitions(EmbeddedStack stack) {
    try (DynamoDbClient dynamo =
        Aws.client(DynamoDbClient.builder(), stack.awsEndpointUrl(), stack.awsCredentials())) {
      return dynamo.scan(scan -> scan.tableName(tables.of(Table.LIMITS))).items().stream()
          .map(row -> Objects.requireNonNull(row.get(Tables.PARTITION)).s())
          .filter(key -> key.endsWith("#allowance"))
          .map(key -> key.replace("#allowance", ""))
          .toList();
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
    for (int shard = 0; shard < Due.SHARDS; shard++) {
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
