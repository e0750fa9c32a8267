package io.actiongovernance.localstack.acceptance.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.StackProcess;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** A stack in a process of its own, as {@code localstack/up} runs it. */
@Acceptance
@Execution(ExecutionMode.SAME_THREAD)
final class StackProcessSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  /** The first three write other digits, the last has other letters for i and I. */
  @ParameterizedTest
  @CsvSource({"ar, EG", "fa, IR", "bn, BD", "tr, TR"})
  void anActionIsGovernedInEveryLocale(String language, String country, Stack shared)
      throws Exception {
    String options = "-Duser.language=%s -Duser.country=%s".formatted(language, country);
    try (HttpClient client = HttpClient.newHttpClient();
        StackProcess stack =
            StackProcess.start(folder.resolve("data"), Map.of("JAVA_TOOL_OPTIONS", options))) {
      Api api = new Api(client, stack.baseUrl(), stack.newTenant(client, "abroad"));
      try (Given given = new Given(shared, new Stack.Keys(String.valueOf(api.key()), null), api)) {
        Operator operator = given.operator(Given.allow(Given.NOTE));
        Plan plan = operator.propose(operator.note("order:1")).await("executed");
        assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
      }
      assertThat(stack.errors()).contains(options).doesNotContain("Exception", "\tat ");
    }
  }

  @Test
  void aRefusedConditionIsNoErrorOfTheStack() throws Exception {
    Path data = folder.resolve("data");
    // Else the log of the tests, which are before it on the class path.
    String options = "-Dlogback.configurationFile=logback.xml";
    try (StackProcess stack = StackProcess.start(data, Map.of("JAVA_TOOL_OPTIONS", options));
        DynamoDbClient dynamo = stack.dynamo()) {
      String table =
          dynamo.listTables().tableNames().stream()
              .filter(name -> name.endsWith("-state"))
              .findFirst()
              .orElseThrow();
      Map<String, AttributeValue> item =
          Map.of(
              "pk", AttributeValue.fromS("no one's"),
              "sk", AttributeValue.fromS("item"));
      assertThatThrownBy(
              () ->
                  dynamo.putItem(
                      put ->
                          put.tableName(table)
                              .item(item)
                              .conditionExpression("attribute_exists(pk)")))
          .isInstanceOf(ConditionalCheckFailedException.class);
      assertThat(stack.errors()).doesNotContain("WARN", "exception");
      assertThat(data.resolve("log").resolve("service.log")).content().doesNotContain("\tat ");
    }
  }
}
