package io.actiongovernance.localstack.acceptance.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.docs.DocsRoutes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.identity.IdentityRoutes;
import io.actiongovernance.functions.passkey.PasskeyRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.priming.SourceSystem;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.session.SessionRoutes;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.fixture.Npm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Specmatic reads the published contract, makes requests of it, and holds the answers against it:
 * every operation is asked for. What can be done once only, and what names something that must be
 * there, is told to it in examples, of objects that are made for it; everything else it makes up.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
@Execution(ExecutionMode.SAME_THREAD)
final class SpecmaticSpec {
  private static final Path INSTALLED = Path.of("target/npm-specmatic").toAbsolutePath();
  private static final Pattern SUMMARY =
      Pattern.compile("Tests run: (\\d+), Successes: (\\d+), Failures: (\\d+).*Errors: (\\d+)");

  private static final Pattern SUCCEEDED =
      Pattern.compile("(?m)^\\s*Scenario: ([A-Z]+) (\\S+) -> \\d+.*has SUCCEEDED");

  /**
   * What answers a browser or a person, is no JSON, makes a second of what there is one of, or
   * takes that away.
   */
  private static final List<Route> NOT_ASKED =
      List.of(
          EventRoutes.STREAM_EVENTS,
          ConnectorRoutes.BEGIN_AUTHORIZATION,
          ConnectorRoutes.COMPLETE_AUTHORIZATION,
          IdentityRoutes.CREATE_IDENTITY_PROVIDER,
          IdentityRoutes.DELETE_IDENTITY_PROVIDER,
          IdentityRoutes.BEGIN_SIGN_IN,
          IdentityRoutes.COMPLETE_SIGN_IN,
          DocsRoutes.OPENAPI,
          SessionRoutes.INSPECT_TICKET,
          SessionRoutes.REDEEM_TICKET,
          SessionRoutes.ASK_TO_SIGN_IN,
          SessionRoutes.SIGN_IN_BY_PASSKEY,
          PasskeyRoutes.ASK_TO_ENROL,
          PasskeyRoutes.ENROL_PASSKEY,
          PasskeyRoutes.DELETE_PASSKEY,
          PlanRoutes.CREATE_CHALLENGE,
          PlanRoutes.WITHDRAW_VOTE);

  /** Parameters that go with others alone. */
  private static final Set<String> ALONE = Set.of("cursor", "order", "eligible");

  private static final String KEY = "Idempotency-Key";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void everyOperationAnswersAsPublished(Given given) throws Exception {
    install();
    Path jar = Npm.file(INSTALLED, "specmatic/specmatic.jar");
    ObjectNode document =
        (ObjectNode) given.api().as(null).get("/v1/openapi.json").is(200).deepCopy();
    try (SourceSystem shop = new SourceSystem()) {
      Map<String, ObjectNode> told = new SpecmaticExamples(given, document, shop).all();
      NOT_ASKED.forEach(route -> told.remove(route.operation()));
      asPublished(given, document, jar, told);
    }
  }

  private void asPublished(Given given, ObjectNode document, Path jar, Map<String, ObjectNode> told)
      throws Exception {
    leaveOut(document, told.keySet());
    Files.writeString(folder.resolve("openapi.json"), Json.write(document));
    Path examples = Files.createDirectories(folder.resolve("openapi_examples"));
    for (Map.Entry<String, ObjectNode> example : told.entrySet()) {
      Files.writeString(
          examples.resolve(example.getKey() + ".json"), Json.write(example.getValue()));
    }
    Files.writeString(folder.resolve("specmatic.yaml"), configuration(given.api()));
    Npm.Said said = Npm.run(command(jar, given.api()));
    Files.writeString(Path.of("target/specmatic.log"), said.text());
    Matcher summary = SUMMARY.matcher(said.text());
    assertThat(summary.find()).as(tail(said.text())).isTrue();
    System.out.println("SpecmaticSpec: " + summary.group());
    assertThat(summary.group(3) + " " + summary.group(4))
        .as("target/specmatic.log")
        .isEqualTo("0 0");
    assertThat(said.status()).as(tail(said.text())).isZero();
    everyOneWasAskedFor(document, said.text());
  }

  private static void everyOneWasAskedFor(ObjectNode document, String said) {
    Set<String> asked =
        SUCCEEDED
            .matcher(said)
            .results()
            .map(
                each ->
                    each.group(1) + " " + each.group(2).replaceAll("\\((\\w+):string\\)", "{$1}"))
            .collect(Collectors.toSet());
    Set<String> published = new HashSet<>();
    for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
      path.getValue()
          .fieldNames()
          .forEachRemaining(
              method -> published.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey()));
    }
    assertThat(asked).isEqualTo(published);
  }

  private static void install() throws Exception {
    Path from = Path.of("src/test/npm").toAbsolutePath();
    Npm.Said said =
        Npm.run(
            new ProcessBuilder(
                "sh",
                from.resolve("install").toString(),
                INSTALLED.toString(),
                from.resolve("specmatic").toString()));
    assertThat(said.status()).as(said.text()).isZero();
  }

  /**
   * What Specmatic cannot be asked to drive, each tested elsewhere: a stream, which does not end
   * ({@code StreamSpec}), the callback, whose state is sealed ({@code OAuthSpec}), and the document
   * itself, in which it expects all items of an array to be like the first ({@code LintSpec});
   * cursors, which are sealed too, an order and an eligibility that go with one status alone
   * ({@code PlansSpec}), and idempotency keys where no example has one: it gives the few that it
   * makes up to many requests with other bodies ({@code IdempotencySpec}). No answer is a stored
   * one, therefore. Objects that may hold anything are told as anything: it expects all items of an
   * array in one to be alike. What a key may not ask, being for people alone, and what a passkey
   * signs ({@code ApprovalPoliciesSpec}, {@code BrowserSpec}); and the 202 of an approval, which
   * takes a policy.
   */
  private static void leaveOut(ObjectNode document, Set<String> told) {
    document.findParents("properties").forEach(SpecmaticSpec::tellAsAnything);
    ObjectNode paths = (ObjectNode) document.path("paths");
    for (Route route : NOT_ASKED) {
      ObjectNode path = (ObjectNode) paths.path(route.path());
      path.remove(route.method().name().toLowerCase(Locale.ROOT));
      if (path.isEmpty()) {
        paths.remove(route.path());
      }
    }
    for (JsonNode path : paths) {
      for (JsonNode operation : path) {
        Iterator<JsonNode> parameters = operation.path("parameters").elements();
        while (parameters.hasNext()) {
          JsonNode parameter = parameters.next();
          boolean key = parameter.path("$ref").asText().endsWith("/" + KEY);
          if (ALONE.contains(parameter.path("name").asText())
              || (key && !told.contains(operation.path("operationId").asText()))) {
            parameters.remove();
          }
        }
        ObjectNode responses = (ObjectNode) operation.path("responses");
        if (!responses.fieldNames().next().equals("200")) {
          responses.remove("200");
        } else {
          responses.remove("202");
        }
      }
    }
  }

  private static void tellAsAnything(JsonNode schema) {
    for (JsonNode property : schema.path("properties")) {
      boolean free =
          property.path("type").toString().contains("\"object\"") && !property.has("properties");
      if (free && property instanceof ObjectNode object) {
        object.removeAll();
      }
    }
  }

  private static String configuration(Api api) {
    return """
        version: 2
        contracts:
          - provides:
              - openapi.json
        security:
          OpenAPI:
            securitySchemes:
              key:
                type: bearer
                token: %s
        """
        .formatted(api.key());
  }

  private ProcessBuilder command(Path jar, Api api) {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-DMAX_TEST_REQUEST_COMBINATIONS=8",
            "-DIGNORE_INLINE_EXAMPLE_WARNINGS=true",
            "-jar",
            jar.toString(),
            "test",
            "--timeout=40",
            "--testBaseURL=" + api.baseUrl());
    return command.directory(folder.toFile());
  }

  private static String tail(String text) {
    return text.substring(Math.max(0, text.length() - 4_000));
  }
}
