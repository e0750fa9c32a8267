package io.actiongovernance.localstack.acceptance.stored;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Canonical;
import io.actiongovernance.localstack.acceptance.stored.StoredReads.Place;
import io.actiongovernance.localstack.acceptance.stored.StoredReads.Question;
import io.actiongovernance.localstack.acceptance.stored.StoredReads.Read;
import io.actiongovernance.localstack.acceptance.stored.StoredRequests.Asked;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a release or this build stored reads as it did: objects and lists field for field, cursors,
 * keys, and the answers kept under idempotency keys byte for byte. The stack stands still, at the
 * instant at which the one before was killed; what goes on from there is in {@link
 * StoredGoesOnSpec}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("stored")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls start before all else
final class StoredReadsSpec {
  /** What differs each time it is read. */
  private static final Set<String> MOVING =
      Set.of("cursor", "next_cursor", "download_url", "last_used_at");

  @Parameter private StoredData stored;
  private StoredReads.All before;
  private EmbeddedStack stack;
  private HttpClient client;

  @BeforeParameterizedClassInvocation(injectArguments = false)
  void start(@TempDir Path folder) throws Exception {
    before = Json.convert(stored.part(StoredData.READS), StoredReads.All.class);
    stack = stored.startStill(stored.unpack(folder.resolve("data")));
    client = HttpClient.newHttpClient();
  }

  @AfterParameterizedClassInvocation
  void close() {
    stack.close();
    client.close();
  }

  static List<StoredData> stored() {
    return StoredData.all();
  }

  /** The API as the holder of a key sees it that was made then. */
  private Api as(String name) {
    return new Api(client, stack.baseUrl(), stored.told().keys().get(name));
  }

  @Test
  void everyObjectAndListReadsUnchanged() {
    List<String> differences = new ArrayList<>();
    for (Read read : before.reads()) {
      Answer now = as(read.as()).get(read.path());
      String what = read.as() + " GET " + read.path();
      if (now.status() != read.status()) {
        differences.add(what + ": " + now.status() + " instead of " + read.status());
      } else if (now.status() == 200) {
        differ(read.answer(), now.json(), what + " ", differences);
      }
    }
    assertThat(differences).isEmpty();
  }

  /** All that was there is there as it was; there may be more, as the contract lets there be. */
  private static void differ(JsonNode was, JsonNode is, String at, List<String> differences) {
    if (was.isObject() && is.isObject()) {
      for (Map.Entry<String, JsonNode> field : was.properties()) {
        if (!MOVING.contains(field.getKey())) {
          differ(field.getValue(), is.path(field.getKey()), at + "/" + field.getKey(), differences);
        }
      }
    } else if (was.isArray() && is.isArray() && was.size() == is.size()) {
      for (int element = 0; element < was.size(); element++) {
        differ(was.get(element), is.get(element), at + "/" + element, differences);
      }
    } else if (!was.toString().equals(is.toString())) {
      differences.add(at + ": " + is + " instead of " + was);
    }
  }

  @Test
  void everyCursorContinuesAtItsPlace() {
    assertThat(before.places()).hasSizeGreaterThan(15);
    for (Place place : before.places()) {
      List<String> rest = StoredReads.rest(as(place.as()), place.path(), place.cursor());
      if (place.path().equals(StoredReads.LISTINGS)) {
        assertThat(rest).containsSubsequence(place.rest());
      } else {
        assertThat(rest).as(place.path()).isEqualTo(place.rest());
      }
    }
    Place plans =
        before.places().stream()
            .filter(each -> each.path().equals("/v1/plans"))
            .findAny()
            .orElseThrow();
    String cursor = Api.encode(plans.cursor());
    as("admin").get("/v1/actions?cursor=" + cursor).isError(400, "invalid_cursor");
    as("admin").get("/v1/plans?status=executed&cursor=" + cursor).isError(400, "invalid_cursor");
    as("rival").get("/v1/plans?cursor=" + cursor).isError(400, "invalid_cursor");
  }

  @Test
  void guardrailsJudgeUnchanged() {
    List<String> differences = new ArrayList<>();
    for (Question question : before.questions()) {
      JsonNode now = as(question.as()).post(question.path(), question.body()).is(200);
      differ(question.answer(), now, question.path() + " ", differences);
    }
    assertThat(differences).isEmpty();
  }

  @Test
  void everyIdempotencyKeyReplaysItsAnswerByteForByte() {
    List<Asked> asked = asked();
    assertThat(asked).hasSizeGreaterThan(80);
    for (Asked one : asked) {
      Answer now = one.send(as(one.as()));
      assertThat(now.text()).as(now.request()).isEqualTo(one.answer());
      assertThat(now.status()).as(now.request()).isEqualTo(one.status() / 100 == 2 ? 200 : 422);
      assertThat(now.header("Idempotent-Replayed")).as(now.request()).isEqualTo("true");
    }
  }

  @Test
  void aDifferentBodyUnderAUsedKeyIsAConflict() {
    Asked ingest =
        asked().stream().filter(one -> one.path().equals("/v1/events")).findFirst().orElseThrow();
    ObjectNode other = ((ObjectNode) ingest.body()).deepCopy().put("source", "another");
    as(ingest.as())
        .post(ingest.path(), other, StoredRequests.HEADER, ingest.key())
        .isError(409, "idempotency_conflict");
  }

  private List<Asked> asked() {
    return List.of(Json.convert(stored.part(StoredData.REQUESTS), Asked[].class));
  }

  @Test
  void everyKeyIsAcceptedOrRefusedAsBefore() {
    for (String known : List.of("admin", "north", "operate", "lasting", "ending", "agent")) {
      as(known).get("/v1/plans").is(200);
    }
    as("proposer").get("/v1/plans").is(200);
    as("test-reader").get("/v1/plans").is(200);
    as("revoked").get("/v1/plans").isError(401, "key_revoked");
    as("ingest").get("/v1/plans").isError(403, "insufficient_scope");
    as("agent").get("/v1/events").isError(403, "insufficient_scope");
    as("lasting").post("/v1/halts", Json.object()).isError(403, "insufficient_scope");
    String held = "/v1/plans/" + stored.told().thing("held to-stay").path("id").asText();
    for (String elsewhere : List.of("north", "agent", "test", "rival")) {
      as(elsewhere).get(held).isError(404, "not_found");
    }
    new Api(client, stack.baseUrl(), "sk_live_" + "a".repeat(38))
        .get("/v1/plans")
        .isError(401, "key_invalid");
  }

  @Test
  void rateLimitsAreTheStoredOnesOfTheTenant() {
    assertThat(as("rival").get("/v1/events").header("X-RateLimit-Limit")).isEqualTo("9");
    assertThat(as("admin").get("/v1/events").header("X-RateLimit-Limit")).isEqualTo("1000000");
  }

  @Test
  void hashesAndDigestsMatchTheObjectsRead() {
    String tenant = events().findFirst().orElseThrow().path("tenant_id").asText();
    for (Read read : before.reads()) {
      // It reads now as it did: see above.
      JsonNode object = read.answer();
      switch (object.path("object").asText()) {
        case "receipt" -> {
          ObjectNode hashed = ((ObjectNode) object).deepCopy();
          hashed.remove("hash");
          assertThat(Canonical.sha256(hashed))
              .as(read.path())
              .isEqualTo(object.path("hash").asText());
        }
        case "action" ->
            assertThat(Canonical.sha256(digested(tenant, object)))
                .as(read.path())
                .isEqualTo(object.path("action_digest").asText());
        case "guardrails_version" ->
            assertThat(Canonical.sha256(object.path("guardrails")))
                .as(read.path())
                .isEqualTo(object.path("sha256").asText());
        default -> {
          // It has none.
        }
      }
    }
  }

  /** What the digest of an action is of (contract, section 3). */
  private static ObjectNode digested(String tenant, JsonNode action) {
    ObjectNode digested = Json.object().put("tenant_id", tenant);
    for (String field :
        List.of(
            "operator_id",
            "connector",
            "tool",
            "tool_digest",
            "args",
            "currency",
            "entity_key",
            "idempotency_key")) {
      digested.set(field, action.path(field));
    }
    digested.set("value", action.has("value") ? action.path("value") : digested.nullNode());
    return digested;
  }

  private Stream<JsonNode> events() {
    return before.reads().stream()
        .map(Read::answer)
        .filter(each -> each.path("object").asText().equals("event"));
  }

  @Test
  void theFileOfAnExportIsUnchanged() throws Exception {
    for (JsonNode export : as("admin").get("/v1/receipts/exports").data()) {
      URI file = URI.create(export.path("download_url").asText());
      byte[] bytes =
          client.send(HttpRequest.newBuilder(file).build(), BodyHandlers.ofByteArray()).body();
      String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      assertThat(hash).isEqualTo(export.path("sha256").asText());
      assertThat(file.getQuery())
          .as("a link does not carry the account's own signature")
          .contains("X-Amz-Credential=")
          .doesNotContain(stack.awsCredentials().resolveCredentials().accessKeyId());
    }
  }
}
