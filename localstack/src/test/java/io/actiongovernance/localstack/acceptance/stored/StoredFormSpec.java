package io.actiongovernance.localstack.acceptance.stored;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.EmbeddedDynamo;
import io.actiongovernance.store.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a release or this build stored is as a later one needs it: no row expires that is kept for
 * good, and what is sealed says for what and under which key. A new kind of row is listed here as
 * expiring or permanent.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("stored")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // JUnit calls start before all else
final class StoredFormSpec {
  /** In {@link Table#STATE}: what lives for days. */
  private static final Set<String> EXPIRING =
      Set.of(
          "export",
          "proposal-request",
          "ticket",
          "webhook-data",
          "webhook-delivery",
          "webhook-endpoint-deleted");

  /** In it too: what was governed, configuration, and what is there while it is so. */
  private static final Set<String> STAYING =
      Set.of(
          "action",
          "action-unresolved",
          "approval",
          "connector",
          "connector-name",
          "connector_roster",
          "exports",
          "guardrails",
          "guardrails-version",
          "halt",
          "halt-ended",
          "halts",
          "handed-on",
          "key",
          "key_counts",
          "key_name",
          "operator",
          "operator-home",
          "operator_name",
          "operator_roster",
          "plan",
          "plan-entity",
          "plan-exchange",
          "proposal",
          "quota",
          "sandbox",
          "secret",
          "settling",
          "stored-form",
          "tenant",
          "veto",
          "webhook-endpoint",
          "webhook-url");

  @Parameter private StoredData stored;
  private Path data;
  private EmbeddedDynamo dynamo;

  @BeforeParameterizedClassInvocation(injectArguments = false)
  void start(@TempDir Path folder) {
    data = stored.unpack(folder.resolve("data"));
    dynamo = new EmbeddedDynamo(data);
  }

  @AfterParameterizedClassInvocation
  void stop() {
    dynamo.close();
  }

  static List<StoredData> stored() {
    return StoredData.all();
  }

  private Stream<Map<String, AttributeValue>> rows(Table table) {
    String name = table.wireName("governance");
    return dynamo.client().scanPaginator(scan -> scan.tableName(name)).items().stream();
  }

  /** What its partition's key says after tenant and mode. */
  private static String kind(Map<String, AttributeValue> row) {
    return Arrays.stream(text(row, "pk").split("#", -1))
        .filter(part -> part.matches("[a-z][a-z_-]*") && !Set.of("live", "test").contains(part))
        .findFirst()
        .orElseThrow();
  }

  private static String text(Map<String, AttributeValue> row, String attribute) {
    return Objects.requireNonNull(row.get(attribute), attribute).s();
  }

  private static Set<String> kinds(Stream<Map<String, AttributeValue>> rows) {
    return rows.map(StoredFormSpec::kind).collect(toCollection(TreeSet::new));
  }

  private static boolean lapses(Map<String, AttributeValue> row) {
    return row.containsKey(Table.EXPIRES);
  }

  @Test
  void everyKindOfRowIsListedAsExpiringOrPermanent() {
    assertThat(kinds(rows(Table.STATE)))
        .isSubsetOf(Stream.of(EXPIRING, STAYING).flatMap(Set::stream).toList());
    assertThat(kinds(rows(Table.STATE).filter(StoredFormSpec::lapses)))
        .containsExactlyInAnyOrderElementsOf(EXPIRING);
    assertThat(kinds(rows(Table.STATE).filter(row -> !lapses(row))))
        .doesNotContainAnyElementsOf(EXPIRING);
  }

  @Test
  void noReceiptExpires() {
    assertThat(rows(Table.RECEIPTS)).isNotEmpty().noneMatch(StoredFormSpec::lapses);
  }

  @Test
  void effectClaimsAreKeptInTheirOwnTable() {
    assertThat(kinds(rows(Table.EFFECTS))).containsExactly("effect");
    assertThat(rows(Table.EFFECTS)).noneMatch(StoredFormSpec::lapses);
  }

  @Test
  void eventsExpireAndTheHeadsOfTheirLogsStay() {
    assertThat(kinds(rows(Table.EVENTS).filter(row -> !lapses(row))))
        .containsExactlyInAnyOrder(
            "envelopes-head",
            "envelopes-settled",
            "links-head",
            "outcomes-head",
            "outcomes-settled");
    assertThat(rows(Table.IDEMPOTENCY)).allMatch(StoredFormSpec::lapses);
    assertThat(rows(Table.RESULTS)).isNotEmpty().allMatch(StoredFormSpec::lapses);
  }

  @Test
  void sealedTextsNameTheirPurposeAndKey() throws Exception {
    byte[] key = Base64.getDecoder().decode(Files.readString(data.resolve("master.key")).strip());
    Sealer sealer = new Sealer(List.of(key), new SecureRandom());
    assertThat(texts(rows(Table.STATE), "connector", "credentials"))
        .map(text -> Json.read(text).path("sealed"))
        .filteredOn(JsonNode::isTextual)
        .isNotEmpty()
        .allMatch(text -> text.asText().startsWith(header(sealer, Purpose.CREDENTIALS)));
    assertThat(texts(rows(Table.STATE), "webhook-endpoint", "doc"))
        .isNotEmpty()
        .allMatch(text -> text.contains(header(sealer, Purpose.WEBHOOK_SECRET)));
    assertThat(rows(Table.IDEMPOTENCY).filter(row -> row.containsKey("data")))
        .isNotEmpty()
        .allMatch(row -> text(row, "data").startsWith(header(sealer, Purpose.ANSWER)));
    assertThat(rows(Table.RESULTS).filter(row -> row.containsKey("sealed")))
        .isNotEmpty()
        .allMatch(row -> text(row, "sealed").startsWith(header(sealer, Purpose.RESULT)));
  }

  /** What a sealed text begins with: its form, its purpose, and the name of its key. */
  private static String header(Sealer sealer, Purpose purpose) {
    return sealer.seal(purpose, "", new byte[0]).substring(0, 1 + 1 + 8);
  }

  private static List<String> texts(
      Stream<Map<String, AttributeValue>> rows, String kind, String attribute) {
    return rows.filter(row -> kind(row).equals(kind))
        .flatMap(row -> Optional.ofNullable(row.get(attribute)).stream())
        .map(AttributeValue::s)
        .toList();
  }
}
