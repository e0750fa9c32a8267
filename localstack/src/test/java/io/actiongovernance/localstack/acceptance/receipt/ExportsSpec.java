package io.actiongovernance.localstack.acceptance.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Exports of receipts (specification, Receipts and Quotas; contract, section 6). */
@Acceptance
public final class ExportsSpec {
  private static final String PATH = "/v1/receipts/exports";
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @Test
  void anExportIsMadeRunningAndCompletesWithItsFile(Given given) throws Exception {
    JsonNode made = Shape.EXPORT_JOB.of(given.api().post(PATH, Json.object()).is(201));
    assertThat(made.path("id").asText()).matches("exp_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(made.path("object").asText()).isEqualTo("export_job");
    assertThat(made.path("status").asText()).isEqualTo("running");
    assertThat(made.path("format").asText()).isEqualTo("jsonl");
    assertThat(made.path("filters"))
        .isEqualTo(Json.read("{\"since\":null,\"until\":null,\"outcome\":null}"));
    for (String later :
        List.of(
            "row_count",
            "size_bytes",
            "sha256",
            "download_url",
            "url_expires_at",
            "error",
            "completed_at",
            "expires_at",
            "workspace_id")) {
      assertThat(made.path(later).isNull()).as(later).isTrue();
    }
    JsonNode done = Shape.EXPORT_JOB.of(completed(given.api(), made));
    assertThat(jsonLines(done)).isEqualTo(listed(given.api(), ""));
    assertThat(done.path("row_count").asInt()).as("the tenant's limits and ticket").isEqualTo(2);
    assertThat(done.path("error").isNull()).isTrue();
    assertThat(done.path("created_at")).isEqualTo(made.path("created_at"));
    Instant completedAt = Instant.parse(done.path("completed_at").asText());
    assertThat(Instant.parse(done.path("expires_at").asText()))
        .isEqualTo(completedAt.plus(Duration.ofDays(7)));
    assertThat(Instant.parse(done.path("url_expires_at").asText()))
        .isBetween(Instant.now().plusSeconds(13 * 60), Instant.now().plusSeconds(15 * 60 + 1));
  }

  @Test
  void jsonLinesAreTheReceiptsAsTheyAreListed(Given given) throws Exception {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    leaveReceipts(operator);
    JsonNode done = exported(given.api(), Json.object().put("format", "jsonl"));
    String text = new String(download(done), StandardCharsets.UTF_8);
    assertThat(text.lines().map(Json::read).toList()).isEqualTo(listed(given.api(), ""));
    assertThat(text).endsWith("\n");
  }

  @Test
  void csvHasTheFieldsOfReceiptsInOrderWithTheVerdictFlattened(Given given) throws Exception {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    leaveReceipts(operator);
    JsonNode done = exported(given.api(), Json.object().put("format", "csv"));
    List<List<String>> records = csv(download(done));
    List<JsonNode> receipts = listed(given.api(), "");
    assertThat(done.path("row_count").asInt()).isEqualTo(receipts.size());
    assertThat(records.getFirst()).isEqualTo(columns());
    List<List<String>> expected = receipts.stream().map(ExportsSpec::record).toList();
    assertThat(records.subList(1, records.size())).isEqualTo(expected);
  }

  @Test
  void noTextInCsvBeginsLikeAFormula(Given given) throws Exception {
    Operator operator = given.operator(Given.alert(Given.NOTE));
    for (String text :
        List.of(
            "=1+1", "+1", "-1", "@a", "\ta", "\ra", "'a", "＝1+1", "＋1", "－1", "＠a", "a\"b,c\nd")) {
      operator.propose(operator.note("n")).tryVeto(text).is(200);
    }
    JsonNode done =
        exported(given.api(), Json.object().put("format", "csv").put("outcome", "vetoed"));
    List<List<String>> records = csv(download(done));
    int reason = columns().indexOf("reason");
    assertThat(records.stream().skip(1).map(record -> record.get(reason)).toList().reversed())
        .containsExactly(
            "'=1+1",
            "'+1",
            "'-1",
            "'@a",
            "'\ta",
            "'\ra",
            "''a",
            "'＝1+1",
            "'＋1",
            "'－1",
            "'＠a",
            "a\"b,c\nd");
  }

  @Test
  void filtersExcludeReceiptsThatDoNotMatch(Given given) throws Exception {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    leaveReceipts(operator);
    List<JsonNode> all = listed(given.api(), "");
    String middle = all.get(all.size() / 2).path("written_at").asText();
    for (String filter : List.of("since", "until")) {
      ObjectNode body = Json.object().put(filter, middle);
      List<JsonNode> receipts = listed(given.api(), "&" + filter + "=" + middle);
      assertThat(receipts).isNotEmpty().hasSizeLessThan(all.size());
      JsonNode done = exported(given.api(), body);
      assertThat(done.at("/filters/" + filter).asText()).isEqualTo(middle);
      assertThat(jsonLines(done)).isEqualTo(receipts);
    }
    JsonNode vetoed = exported(given.api(), Json.object().put("outcome", "vetoed"));
    assertThat(vetoed.at("/filters/outcome").asText()).isEqualTo("vetoed");
    assertThat(jsonLines(vetoed)).isEqualTo(listed(given.api(), "&outcome=vetoed")).isNotEmpty();
    JsonNode none = exported(given.api(), Json.object().put("until", "2020-01-01T00:00:00+02:00"));
    assertThat(none.at("/filters/until").asText()).isEqualTo("2019-12-31T22:00:00.000Z");
    assertThat(none.path("row_count").asInt()).isZero();
  }

  @Test
  void receiptsWrittenAfterTheRequestAreNotInTheExport(Given given) throws Exception {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    operator.propose(operator.note("before"));
    List<JsonNode> before = listed(given.api(), "");
    JsonNode made =
        given.api().post(PATH, Json.object().put("until", "2999-01-01T00:00:00Z")).is(201);
    Await.pause(Duration.ofMillis(2)); // a receipt of the same millisecond would be in it
    operator.propose(operator.note("after"));
    assertThat(jsonLines(completed(given.api(), made))).isEqualTo(before);
  }

  @Test
  void aThirdExportOfATenantIsRefusedWhileTwoRun(Given given) {
    // What runs ends within seconds: ask fast enough, in both modes, and one is refused.
    Api live = given.api();
    Api test = given.testApi();
    boolean refused = false;
    for (int round = 0; round < 10 && !refused; round++) {
      for (Api api : List.of(live, test, live, test)) {
        Answer answer = api.post(PATH, Json.object());
        if (answer.status() != 201) {
          answer.isError(429, "quota_exceeded");
          assertThat(answer.header("Retry-After")).isEqualTo("60");
          refused = true;
        }
      }
    }
    assertThat(refused).isTrue();
    assertThat(running(live) + running(test)).isLessThanOrEqualTo(2);
    Await.until(LONGEST, () -> running(live) + running(test), count -> count == 0);
    live.post(PATH, Json.object()).is(201);
  }

  private static long running(Api api) {
    return api.get(PATH + "?limit=100").data().stream()
        .filter(job -> job.path("status").asText().equals("running"))
        .count();
  }

  @Test
  void aRepeatedExportRequestMakesOneExport(Given given) {
    JsonNode first = given.api().post(PATH, Json.object(), "Idempotency-Key", "export-1").is(201);
    Answer again = given.api().post(PATH, Json.object(), "Idempotency-Key", "export-1");
    assertThat(again.is(200)).isEqualTo(first);
    assertThat(given.api().get(PATH).ids()).containsExactly(first.path("id").asText());
  }

  @Test
  void exportsAreListedNewestFirstAndPaged(Given given) {
    List<String> newestFirst = new ArrayList<>();
    for (int number = 0; number < 3; number++) {
      newestFirst.addFirst(exported(given.api(), Json.object()).path("id").asText());
    }
    Lists.hold(given.api(), PATH, newestFirst);
    given.api().get(PATH).data().forEach(job -> Shape.EXPORT_JOB.of(job));
    given.api().get(PATH + "?limit=0").isInvalid("limit");
    given.api().get(PATH + "?outcome=applied").isInvalid("outcome");
    given.api().get(PATH + "?cursor=cur_nonsense").isError(400, "invalid_cursor");
  }

  @Test
  void badInputIsRefusedAndMakesNoExport(Given given) {
    Api api = given.api();
    api.post(PATH, Json.object().put("format", "xlsx")).isInvalid("format");
    api.post(PATH, Json.object().put("format", 1)).isInvalid("format");
    api.post(PATH, Json.object().put("outcome", "won")).isInvalid("outcome");
    api.post(PATH, Json.object().put("since", "yesterday")).isInvalid("since");
    api.post(PATH, Json.object().put("until", 5)).isInvalid("until");
    api.post(PATH, Json.object().put("colour", "red")).isInvalid("colour");
    api.post(PATH + "?colour=red", Json.object()).isInvalid("colour");
    assertThat(api.get(PATH).data()).isEmpty();
    api.get(PATH + "/exp_" + "0".repeat(26)).isError(404, "not_found");
    api.get(PATH + "/nonsense").isError(404, "not_found");
  }

  @Test
  void aPinnedKeyExportsOnlyItsWorkspace(Given given) throws Exception {
    Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", "first"));
    String connector = given.install(pinned, null);
    Operator inside = given.operatorOf(pinned, connector, Json.object(), Given.allow(Given.NOTE));
    Operator outside = given.operator(Given.allow(Given.NOTE));
    inside.propose(inside.note("a"));
    outside.propose(outside.note("b"));
    ObjectNode applied = Json.object().put("outcome", "applied");
    JsonNode own = exported(pinned, applied);
    assertThat(own.path("workspace_id").asText()).isEqualTo("first");
    assertThat(jsonLines(own)).isEqualTo(listed(pinned, "&outcome=applied")).hasSize(1);
    JsonNode whole = exported(given.api(), applied);
    assertThat(jsonLines(whole)).isEqualTo(listed(given.api(), "&outcome=applied")).hasSize(2);
    pinned.get(PATH + "/" + whole.path("id").asText()).isError(404, "not_found");
    assertThat(pinned.get(PATH).ids()).containsExactly(own.path("id").asText());
    JsonNode ofTestMode = exported(given.testApi(), Json.object());
    assertThat(ofTestMode.path("row_count").asInt()).isZero();
  }

  @Test
  void aFileIsReadOnlyByItsSignedAddress(Given given) throws Exception {
    requireSignatures();
    Operator operator = given.operator(Given.allow(Given.NOTE));
    operator.propose(operator.note("a"));
    String url = exported(given.api(), Json.object()).path("download_url").asText();
    assertThat(get(url).statusCode()).isEqualTo(200);
    assertThat(get(url.replaceFirst("\\?.*", "")).statusCode()).isEqualTo(403);
    assertThat(get(url.replaceFirst("Expires=[0-9]+", "Expires=604800")).statusCode())
        .isEqualTo(403);
    assertThat(get(url.replaceFirst("exp_[0-9a-z]{4}", "exp_0000")).statusCode()).isEqualTo(403);
  }

  /** Skips the test, and says so, where signatures are not checked. */
  private static void requireSignatures() {
    if (!Stack.checksSignatures()) {
      String why = "LocalStack serves files without checking the signatures of their addresses.";
      System.out.println("ExportsSpec: skipped: " + why);
      abort(why);
    }
  }

  @Test
  void exportingNeedsTheScopeOfReadingReceipts(Given given) {
    Api without = given.apiOfRole("ingest");
    without.post(PATH, Json.object()).isError(403, "insufficient_scope");
    without.get(PATH).isError(403, "insufficient_scope");
    given.apiOfScopes("receipts:read").post(PATH, Json.object()).is(201);
  }

  /** Waits for the export to complete, and yields the job. */
  public static JsonNode completed(Api api, JsonNode job) {
    String path = PATH + "/" + job.path("id").asText();
    JsonNode ended =
        Await.until(
            LONGEST,
            () -> api.get(path).is(200),
            seen -> !seen.path("status").asText().equals("running"));
    assertThat(ended.path("status").asText()).as("%s", ended).isEqualTo("complete");
    return ended;
  }

  private static JsonNode exported(Api api, ObjectNode body) {
    return completed(api, api.post(PATH, body).is(201));
  }

  /** Receipts of several outcomes. */
  private static void leaveReceipts(Operator operator) {
    operator.propose(operator.note("a"), operator.note("b"), operator.note("c"));
    operator.propose(operator.refund("x", "12.50")).tryVeto("Not \"now\",\r\nplease: ü.").is(200);
    operator.propose(operator.refund("y", "0.10"), operator.note("d")).approve();
  }

  private static List<JsonNode> listed(Api api, String filters) {
    List<JsonNode> all = new ArrayList<>();
    for (String id : Lists.readAll(api, "/v1/receipts?" + filters.replaceFirst("^&", ""), 100)) {
      all.add(api.get("/v1/receipts/" + id).is(200));
    }
    return all;
  }

  /** The lines of its file, which are as many as it says. */
  public static List<JsonNode> jsonLines(JsonNode job) throws Exception {
    List<JsonNode> lines =
        new String(download(job), StandardCharsets.UTF_8).lines().map(Json::read).toList();
    assertThat(job.path("row_count").asInt()).isEqualTo(lines.size());
    return lines;
  }

  /** The bytes of the file, which are what the job says they are. */
  private static byte[] download(JsonNode job) throws Exception {
    HttpResponse<byte[]> response = get(job.path("download_url").asText());
    assertThat(response.statusCode()).isEqualTo(200);
    byte[] file = response.body();
    assertThat(file).hasSize(job.path("size_bytes").asInt());
    assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file)))
        .isEqualTo(job.path("sha256").asText());
    assertThat(response.headers().firstValue("Content-Disposition"))
        .contains(
            "attachment; filename=\"%s.%s\""
                .formatted(job.path("id").asText(), job.path("format").asText()));
    return file;
  }

  private static HttpResponse<byte[]> get(String url) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private static List<List<String>> csv(byte[] file) throws IOException {
    try (MappingIterator<List<String>> records =
        new CsvMapper()
            .readerForListOf(String.class)
            .with(CsvParser.Feature.WRAP_AS_ARRAY)
            .readValues(file)) {
      return records.readAll();
    }
  }

  private static List<String> columns() {
    String fields =
        "id object kind outcome event_id plan_id action_id operator_id correlation_id request_id"
            + " workspace_id connector tool entity_key idempotency_key value currency action_digest"
            + " disposition verdict_decision verdict_tier verdict_rule guardrails_version ok error"
            + " approver note reason undo_of upstream_reference billable summary tool_digest claimed"
            + " result_sha256 approval_id proposed_by decided_by holder_action_id"
            + " holder_proposed_by resolves target change hash written_at trace_id amended_by"
            + " evidence evaluated_at";
    return List.of(fields.split(" "));
  }

  /** A receipt as its record in CSV is read. */
  private static List<String> record(JsonNode receipt) {
    return columns().stream()
        .map(column -> receipt.at("/" + column.replaceFirst("^verdict_", "verdict/")))
        .map(
            value ->
                value.isContainerNode()
                    ? Json.write(value)
                    : value.isNull() || value.isMissingNode() ? "" : value.asText())
        .toList();
  }
}
