package io.actiongovernance.localstack.acceptance.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.OnAStack;
import io.actiongovernance.localstack.acceptance.fixture.Secrets;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * No secret is in clear in anything that the stack wrote while the suite ran: its database with the
 * write-ahead log, its objects (the files of exports), what it keeps of timers and streams, its
 * log, and every answer to a read or with an error (issue 4, Bad input and hostile clients).
 *
 * <p>Isolated classes run when all others are done.
 */
@Isolated
@ExtendWith(OnAStack.class)
final class SecretsSpec {
  /** Where the log goes, as {@code logback-test.xml} says. */
  private static final Path LOG = Path.of("target", "service.log");

  @Test
  void noSecretIsInClearInAnythingThatTheStackWrote(Stack stack, Given given) throws IOException {
    assumeTrue(stack.folder().isPresent(), "needs a stack whose files can be read");
    Path folder = stack.folder().orElseThrow();
    // It sees what is in the database in clear, an operator's name for one.
    String seen = Given.unique("in-clear");
    given.api().post("/v1/operators", Json.object().put("name", seen)).is(201);
    ofEachKind(given);
    Map<String, String> secrets = Secrets.all();
    assertThat(secrets.values()).anyMatch(what -> what.startsWith("answer to POST /v1/keys"));
    assertThat(secrets.values()).anyMatch(what -> what.startsWith("client_secret of"));

    Needles needles = new Needles(secrets.keySet());
    List<String> disclosed = new ArrayList<>();
    for (Path file : files(folder)) {
      needles.in(file).forEach(it -> disclosed.add(it + " (" + secrets.get(it) + ") in " + file));
    }

    assertThat(disclosed).isEmpty();
    Needles inClear = new Needles(List.of(seen));
    TreeSet<String> where = new TreeSet<>();
    for (Path file : files(folder)) {
      inClear.in(file).forEach(unused -> where.add(String.valueOf(file.getFileName())));
    }
    assertThat(where).anyMatch(name -> name.startsWith("governance.db"));
  }

  /** One secret of each kind at least, should this class run alone. */
  private static void ofEachKind(Given given) {
    given.apiOfRole("read_only").get("/v1/plans").is(200);
    ObjectNode endpoint = Json.object().put("url", "https://hooks.example/" + Given.unique("hook"));
    endpoint.putArray("types").add("plan.proposed");
    given.api().post("/v1/webhook_endpoints", endpoint).is(201);
    String secretPath = Given.unique("hook-of-slack");
    Secrets.add(secretPath, "url of a channel");
    ObjectNode slack =
        Json.object().put("type", "slack").put("url", "https://hooks.example/" + secretPath);
    slack.putArray("types").add("halt");
    String channel = given.api().post("/v1/channels", slack).is(201).path("id").asText();
    given.api().get("/v1/channels/" + channel).is(200);
    ObjectNode mail =
        Json.object()
            .put("type", "email")
            .put("host", "smtp.example")
            .put("port", 587)
            .put("from", "gov@acme.example");
    mail.putArray("to").add("dana@acme.example");
    mail.putArray("types").add("halt");
    mail.putObject("credentials")
        .put("username", "gov")
        .put("password", Given.unique("password-of-mail"));
    given.api().post("/v1/channels", mail).is(201);
    ObjectNode tasks =
        Json.object().put("listing_id", "cn-asana").put("name", Given.unique("tasks"));
    tasks
        .putObject("credentials")
        .put("type", "oauth2")
        .put("client_id", "acme")
        .put("client_secret", Given.unique("client-secret"));
    given.api().post("/v1/connectors", tasks).is(201);
  }

  private static List<Path> files(Path folder) throws IOException {
    List<Path> files = new ArrayList<>(List.of(Secrets.answers()));
    if (Files.exists(LOG)) {
      files.add(LOG);
    }
    try (Stream<Path> written = Files.walk(folder)) {
      written.filter(Files::isRegularFile).forEach(files::add);
    }
    return files;
  }

  /** Contract, section 6, Principals. */
  @Test
  void eachRequestIsOneLineOfTheLogWithItsTenantAndItsKey(Stack stack, Given given)
      throws IOException {
    assumeTrue(stack.folder().isPresent(), "needs a stack whose log can be read");
    ObjectNode own = Json.object().put("name", Given.unique("key")).put("role", "read_only");
    JsonNode key = given.api().post("/v1/keys", own).is(201);
    Api api = given.api().as(key.path("secret").asText());
    String keyId = key.path("id").asText();
    assertThat(line(api.get("/v1/plans")))
        .contains("key_id=" + keyId, "tenant_id=t_", "route=/v1/plans", "status=200");
    Answer refused = api.delete("/v1/keys/" + keyId);
    assertThat(line(refused)).contains(" key_id=" + keyId, "target_key_id=" + keyId, "status=403");
    assertThat(line(given.api().as(null).get("/v1/plans"))).doesNotContain("key_id", "tenant_id");
    String likeASecret = "sk_live_" + "a".repeat(38);
    assertThat(line(api.get("/v1/plans/" + likeASecret))).doesNotContain(likeASecret, "plan_id=");
  }

  private static String line(Answer answer) throws IOException {
    List<String> lines;
    try (Stream<String> all = Files.lines(LOG)) {
      lines =
          all.filter(line -> line.contains(answer.header("X-Request-Id")))
              .filter(line -> line.contains(" requests "))
              .toList();
    }
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }

  @Test
  void aSecretIsFoundAnywhereInAFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("file");
    List<String> secrets = List.of("sk_live_0123456789", "sk_live_9876543210", "whsec_abcdefgh=");
    for (String text :
        List.of("sk_live_9876543210", "x".repeat(100_000) + "sk_live_9876543210\n\u0000")) {
      Files.writeString(file, text);
      assertThat(new Needles(secrets).in(file)).containsExactly("sk_live_9876543210");
    }
    Files.writeString(file, "sk_live_98765 43210 sk_test_9876543210");
    assertThat(new Needles(secrets).in(file)).isEmpty();
  }
}
