package io.actiongovernance.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Scope;
import io.actiongovernance.event.IngestEvent.Outcome.Ingested;
import io.actiongovernance.event.IngestEvent.Outcome.OtherWorkspace;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.InMemoryStore;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code POST /v1/events} takes (contract, sections 7 and 9). */
final class IngestEventSpec {
  private static final String LEAST =
      "{\"source\":\"shop\",\"event_type\":\"order.created\",\"payload\":{}}";

  private final InMemoryStore store = new InMemoryStore();
  private final EventFixture fixture = new EventFixture(store);
  private final IngestEvent ingestEvent = new IngestEvent(fixture.log, fixture.ids);

  private Caller caller(@Nullable String pin) {
    return new Caller(
        RequestId.next(fixture.ids),
        fixture.partition,
        "reseller-1",
        KeyId.next(fixture.ids),
        "ingest key",
        Set.of(Scope.EVENTS_WRITE),
        pin);
  }

  private IngestEvent.Outcome ingest(@Nullable String pin, String body) {
    Fields fields = new Fields((ObjectNode) Json.read(body), "", true);
    return ingestEvent.ingest(caller(pin), fixture.ids.next(), fields);
  }

  private static String with(String field, String value) {
    ObjectNode body = (ObjectNode) Json.read(LEAST);
    body.set(field, Json.read(value));
    return Json.write(body);
  }

  private Event ingested(@Nullable String pin, String body) {
    return assertThat(ingest(pin, body))
        .isInstanceOf(Ingested.class)
        .extracting(outcome -> ((Ingested) outcome).event())
        .actual();
  }

  @Test
  void theLeastBodyMakesAnEventWithACorrelationIdOfItsOwn() {
    Event event = ingested(null, LEAST);
    assertThat(event.correlationId().value()).startsWith("co_");
    assertThat(event.workspaceId()).isNull();
    assertThat(event.resellerId()).isEqualTo("reseller-1");
    assertThat(event.planIds()).isEmpty();
    assertThat(fixture.log.find(fixture.partition, event.id())).contains(event);
  }

  @Test
  void givenFieldsAreKept() {
    String id = "co_" + fixture.ids.next();
    Event event =
        ingested(
            null,
            """
            {"source":"Shöp 1","event_type":"a1_.b_2.c","payload":{"k":1.10},"correlation_id":"%s",
             "workspace_id":"w1","agent_id":"agent","session_id":"session"}
            """
                .formatted(id));
    assertThat(event.correlationId().value()).isEqualTo(id);
    assertThat(event.source()).isEqualTo("Shöp 1");
    assertThat(event.workspaceId()).isEqualTo("w1");
    assertThat(event.agentId()).isEqualTo("agent");
    assertThat(event.sessionId()).isEqualTo("session");
    assertThat(event.payloadText()).isEqualTo("{\"k\":1.10}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"source", "event_type", "payload"})
  void aRequiredFieldThatIsAbsentOrNullIsNamed(String field) {
    ObjectNode body = (ObjectNode) Json.read(LEAST);
    body.remove(field);
    assertRefused(Json.write(body), Refusal.Missing.class, field);
    assertRefused(with(field, "null"), Refusal.Missing.class, field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "source         | \"\"",
        "source         | \" \"",
        "source         | 7",
        "source         | [\"shop\"]",
        "source         | \"a\\u0000b\"",
        "source         | \"a\\nb\"",
        "source         | \"a\\u202eb\"",
        "source         | \"a\\u2066b\"",
        "event_type     | \"\"",
        "event_type     | \"order\"",
        "event_type     | \"Order.created\"",
        "event_type     | \"order.\"",
        "event_type     | \".created\"",
        "event_type     | \"order..created\"",
        "event_type     | \"order.*\"",
        "event_type     | \"1order.created\"",
        "event_type     | \"order.created\\n\"",
        "event_type     | \"order.créé\"",
        "event_type     | {}",
        "payload        | []",
        "payload        | \"{}\"",
        "payload        | 1",
        "payload        | true",
        "correlation_id | \"\"",
        "correlation_id | \"co_\"",
        "correlation_id | \"ev_01jq0000000000000000000000\"",
        "correlation_id | \"co_a b\"",
        "correlation_id | 5",
        "workspace_id   | \"\"",
        "workspace_id   | {}",
        "workspace_id   | \"a\\u0007\"",
        "agent_id       | \"\"",
        "agent_id       | 1",
        "session_id     | \"\"",
        "session_id     | false",
        "surprise       | 1",
      })
  void aFieldThatBreaksItsRuleIsNamed(String field, String value) {
    assertRefused(with(field, value), Refusal.Invalid.class, field);
  }

  @ParameterizedTest
  @CsvSource({"source,100", "workspace_id,100", "agent_id,200", "session_id,200"})
  void lengthsAreCountedInCharacters(String field, int most) {
    ingested(null, with(field, "\"" + "😀".repeat(most) + "\""));
    assertRefused(with(field, "\"" + "a".repeat(most + 1) + "\""), Refusal.Invalid.class, field);
  }

  @Test
  void anEventTypeHasAtMostTwoHundredCharacters() {
    ingested(null, with("event_type", "\"a." + "b".repeat(198) + "\""));
    assertRefused(
        with("event_type", "\"a." + "b".repeat(199) + "\""), Refusal.Invalid.class, "event_type");
  }

  private void assertRefused(String body, Class<? extends Refusal> kind, String param) {
    int before = store.everything().size();
    Problem refused = catchThrowableOfType(Problem.class, () -> ingest(null, body));
    assertThat(refused).as(body).isNotNull();
    assertThat(refused.refusal()).isInstanceOf(kind);
    assertThat(refused.refusal().path()).isEqualTo(param);
    assertThat(store.everything()).as("traces of %s", body).hasSize(before);
  }

  @Test
  void aPinnedKeyIngestsIntoItsWorkspace() {
    assertThat(ingested("w1", LEAST).workspaceId()).isEqualTo("w1");
    assertThat(ingested("w1", with("workspace_id", "\"w1\"")).workspaceId()).isEqualTo("w1");
  }

  @Test
  void aPinnedKeyThatNamesAnotherWorkspaceIsRefusedWithoutATrace() {
    assertThat(ingest("w1", with("workspace_id", "\"w2\""))).isEqualTo(new OtherWorkspace("w2"));
    assertThat(store.everything()).isEmpty();
  }

  @Test
  void theSameMintedIdentifierIngestsOnce() {
    String minted = fixture.ids.next();
    for (int time = 0; time < 2; time++) {
      Fields fields = new Fields((ObjectNode) Json.read(LEAST), "", true);
      ingestEvent.ingest(caller(null), minted, fields);
    }
    assertThat(fixture.listed()).hasSize(1);
  }
}
