package io.actiongovernance.localstack.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.aws.Aws;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The pages for those who run a deployment say of each command how far it was tried. */
@Acceptance
final class RunbookSpec {
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Spec|Test))`");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```sh\n(.*?)^ *```$");
  private static final Pattern FOR_AWS =
      Pattern.compile("(?m)(^|[ \"(;])(aws [a-z]|infra-cdk/[a-z]|\\./deploy |npx cdk )");

  /** Those with commands for AWS, in {@code docs/}. */
  private static final List<String> PAGES =
      List.of(
          "backups.md",
          "deploy-reference.md",
          "deploy.md",
          "internals/emulators.md",
          "lost-tables.md",
          "redriving.md",
          "restoring-exports.md",
          "restoring.md",
          "service-keys.md",
          "stopping.md",
          "upgrading.md",
          "watching.md");

  @Test
  void aFactSentByHandIsDelivered(@TempDir Path folder, Stack shared) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient();
        EmbeddedStack stack = Stack.startOn(folder);
        SqsClient sqs =
            Aws.client(SqsClient.builder(), stack.awsEndpointUrl(), stack.awsCredentials())) {
      var tenant = Stack.newTenant(stack, "told");
      Api api = new Api(client, stack.baseUrl(), tenant.keys().live());
      try (Given given = new Given(shared, new Stack.Keys(tenant.keys().live(), null), api)) {
        Hook hook = Hook.at(given.receiver(), api, "receipt.written");
        Operator operator = given.operator(Given.allow(Given.NOTE));
        Plan plan = operator.propose(operator.note("desk:1")).await("executed");
        String receipt = plan.action(0).path("receipt_id").asText();
        hook.await(1);
        String queue =
            sqs.getQueueUrl(named -> named.queueName("governance-deliveries")).queueUrl();
        String fact =
            Json.write(
                Json.object()
                    .put("fact_id", "by-hand:receipt.written")
                    .put("type", "receipt.written")
                    .put("partition", tenant.tenantId() + "#live")
                    .put("id", receipt)
                    .put("at", Instant.now().toString()));
        sqs.sendMessage(message -> message.queueUrl(queue).messageBody(fact));
        assertThat(hook.await(2))
            .extracting(each -> each.json().at("/data/id").asText())
            .containsExactly(receipt, receipt);
      }
    }
  }

  @Test
  void everyCommandBlockSaysHowFarAndByWhichTestsItWasTried() throws IOException {
    List<String> unsaid = new ArrayList<>();
    Set<String> named = new TreeSet<>();
    for (String page : PAGES) {
      List<String> lines = Files.readAllLines(Stack.PROJECT.resolve("docs/" + page));
      TEST.matcher(String.join(" ", lines)).results().forEach(found -> named.add(found.group(1)));
      int blocks = 0;
      for (int at = 0; at < lines.size(); at++) {
        if (lines.get(at).strip().equals("```sh")) {
          blocks++;
          int end = at + 1;
          while (!lines.get(end).strip().equals("```")) {
            end++;
          }
          String said = lines.get(end + 1).strip();
          if (!said.startsWith("*Tried: ") && !said.startsWith("*Untried")) {
            unsaid.add(page + ", line " + (at + 1) + ": " + lines.get(at + 1));
          }
        }
      }
      assertThat(blocks).as(page).isPositive();
    }
    assertThat(unsaid).isEmpty();
    assertThat(named).isNotEmpty().isSubsetOf(tests());
  }

  @Test
  void noOtherPageHasCommandsForAws() throws IOException {
    Set<String> having = new TreeSet<>();
    try (Stream<Path> files = Files.list(Stack.PROJECT.resolve("docs"))) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        boolean some =
            BLOCK
                .matcher(Files.readString(page))
                .results()
                .anyMatch(block -> FOR_AWS.matcher(block.group(1)).find());
        if (some) {
          having.add(page.getFileName().toString());
        }
      }
    }
    // Its commands speak to the local stack, and are tested there.
    having.remove("local-stack.md");
    assertThat(having).isNotEmpty().isSubsetOf(PAGES);
  }

  private static Set<String> tests() throws IOException {
    try (Stream<Path> files =
        Files.find(
            Stack.PROJECT,
            20,
            (file, _) -> file.toString().matches(".*/src/test/java/.*(Spec|Test)\\.java"))) {
      return files
          .map(file -> file.getFileName().toString().replace(".java", ""))
          .collect(Collectors.toSet());
    }
  }
}
