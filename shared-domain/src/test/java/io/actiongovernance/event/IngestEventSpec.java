package io.actiongovernance.event;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.InMemoryStore;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of an envelope that is sent (contract, sections 7 and 9). */
final class IngestEventSpec {
  private static final IngestEvent.Envelope LEAST = envelope(null);

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

  private static IngestEvent.Envelope envelope(@Nullable String workspaceId) {
    return new IngestEvent.Envelope(
        "shop", "order.created", Json.object(), null, workspaceId, null, null, null);
  }

  private Outcome<Event> ingest(@Nullable String pin, IngestEvent.Envelope envelope) {
    return ingestEvent.ingest(caller(pin), EventId.next(fixture.ids), envelope);
  }

  @Test
  void theLeastEnvelopeMakesAnEventWithACorrelationIdOfItsOwn() {
    Event event = done(ingest(null, LEAST));
    assertThat(event.correlationId().value()).startsWith("co_");
    assertThat(event.workspaceId()).isNull();
    assertThat(event.resellerId()).isEqualTo("reseller-1");
    assertThat(event.planIds()).isEmpty();
    assertThat(fixture.log.find(fixture.partition, event.id())).contains(event);
  }

  @Test
  void aPinnedKeyIngestsIntoItsWorkspace() {
    assertThat(done(ingest("w1", LEAST)).workspaceId()).isEqualTo("w1");
    assertThat(done(ingest("w1", envelope("w1"))).workspaceId()).isEqualTo("w1");
  }

  @Test
  void aPinnedKeyThatNamesAnotherWorkspaceIsRefusedWithoutATrace() {
    assertThat(refusal(ingest("w1", envelope("w2")))).isInstanceOf(Refusal.BeyondKey.class);
    assertThat(store.everything()).isEmpty();
  }

  @Test
  void anIdentifierIsIngestedOnce() {
    EventId id = EventId.next(fixture.ids);
    for (int time = 0; time < 2; time++) {
      ingestEvent.ingest(caller(null), id, LEAST);
    }
    assertThat(fixture.listed()).hasSize(1);
  }
}
