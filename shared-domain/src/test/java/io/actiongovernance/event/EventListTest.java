package io.actiongovernance.event;

import static io.actiongovernance.event.EventFixture.filter;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;
import org.junit.jupiter.api.Test;

/** The list of events in memory, where there is time for long logs. */
final class EventListTest extends EventListContract {
  private final Store store = new InMemoryStore();
  private final EventFixture fixture = new EventFixture(store);

  @Override
  protected Store store() {
    return store;
  }

  @Test
  void aRareGlobIsFoundInPagesOfBoundedWork() {
    Event rare = fixture.log.append(fixture.envelope("shop", "rare.event", null, "{}"));
    for (int count = 0; count <= EventList.MOST_READ; count++) {
      fixture.append();
    }
    EventQuery query = fixture.query(Order.DESC, filter("rare.*", null, null, null));
    EventsPage page = fixture.list.list(query, 10, null);
    assertThat(page.items()).isEmpty();
    assertThat(page.more()).isTrue();
    assertThat(fixture.everything(query, 10, null).ids()).containsExactly(rare.id());
  }

  @Test
  void aPageIsCutForItsSize() {
    String payload = "{\"text\":\"" + "x".repeat(250_000) + "\"}";
    for (int count = 0; count < 30; count++) {
      fixture.log.append(fixture.envelope("big", "file.added", null, payload));
    }
    EventQuery query = fixture.query(Order.ASC, filter(null, "big", null, null));
    EventsPage page = fixture.list.list(query, 100, null);
    assertThat(page.items()).hasSize(17);
    assertThat(page.more()).isTrue();
    assertThat(fixture.everything(query, 100, null).ids()).hasSize(30).doesNotHaveDuplicates();
  }
}
