package io.actiongovernance.proposer;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.event.Event;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.proposer.WatchedEvents.WatchedEvent;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WatchedEventsTest {
  /** The keys of each read of several. */
  private final List<List<Key>> reads = new ArrayList<>();

  private Runnable betweenReads = () -> {};

  private final Store store =
      new BendingStore(new InMemoryStore()) {
        @Override
        public List<Item> getAll(List<Key> keys) {
          reads.add(keys);
          List<Item> found = inner.getAll(keys);
          Runnable now = betweenReads;
          betweenReads = () -> {};
          now.run();
          return found;
        }
      };

  private final LoopFixture given = new LoopFixture(store);
  private final WatchedEvents watchedEvents =
      new WatchedEvents(store, given.eventLog, given.operators, given.connectors.connectors);

  private Operator desk(String name, String triggers) {
    return given.operator(name, ",'triggers':" + triggers);
  }

  private WatchedEvent read(Event event) {
    reads.clear();
    return watchedEvents.find(event.partition(), event.id()).orElseThrow();
  }

  private List<String> watching(String type) {
    return read(given.event(type)).operators().stream().map(Operator::name).toList();
  }

  private Operator patch(Operator operator, String fields) {
    return OperatorFixture.done(
        given.operators.update(
            given.caller,
            operator.id(),
            OperatorFixture.body("{" + fields + "}"),
            given.connectors.ids.next()));
  }

  @Test
  void anEventThatNobodyWatchesCostsOneReadOfFewRows() {
    IntStream.range(0, 24).forEach(at -> desk("desk-" + at, "{'event_types':['order.*']}"));
    assertThat(watching("note.added")).isEmpty();
    assertThat(reads).hasSize(1);
    assertThat(reads.getFirst()).noneMatch(WatchedEventsTest::isBody);
  }

  @Test
  void anUnchangedOperatorIsNotReadAgain() {
    desk("one", "{'event_types':['order.*']}");
    desk("two", "{'sources':['shop']}");
    desk("three", "{'sources':['mill']}");
    assertThat(watching("order.made")).containsExactly("one", "two");
    assertThat(reads).hasSize(2);
    assertThat(watching("order.made")).containsExactly("one", "two");
    assertThat(reads).hasSize(1);
    assertThat(watching("note.added")).containsExactly("two");
    assertThat(reads).hasSize(1);
  }

  @Test
  void aChangeOfAnOperatorIsSeenByTheNextEvent() {
    Operator desk = desk("desk", "{'event_types':['order.*']}");
    assertThat(watching("order.made")).containsExactly("desk");
    patch(desk, "'triggers':{'event_types':['note.*']}");
    assertThat(watching("order.made")).isEmpty();
    assertThat(watching("note.added")).containsExactly("desk");
    patch(desk, "'instructions':'be kind'");
    assertThat(read(given.event("note.added")).operators().getFirst().instructions())
        .isEqualTo("be kind");
    given.operators.pause(given.caller, desk.id(), given.connectors.ids.next());
    assertThat(watching("note.added")).isEmpty();
    given.operators.resume(given.caller, desk.id(), given.connectors.ids.next());
    assertThat(watching("note.added")).containsExactly("desk");
    given.operators.archive(given.caller, desk.id(), given.connectors.ids.next());
    assertThat(watching("note.added")).isEmpty();
  }

  @Test
  void largeTriggersAreReadFromTheOperator() {
    String types =
        IntStream.range(0, 50)
            .mapToObj(at -> "'" + "a".repeat(60) + "." + at + "'")
            .collect(Collectors.joining(","));
    desk("large", "{'event_types':[" + types + "]}");
    assertThat(watching("order.made")).isEmpty();
    assertThat(watching("a".repeat(60) + ".49")).containsExactly("large");
    assertThat(reads).hasSize(1);
  }

  @Test
  void aChangeBetweenTheTwoReadsIsSeen() {
    Operator desk = desk("desk", "{'event_types':['order.*']}");
    Event event = given.event("order.made");
    betweenReads = () -> patch(desk, "'instructions':'be kind'");
    assertThat(read(event).operators().getFirst().instructions()).isEqualTo("be kind");
    betweenReads = () -> {};
    assertThat(watching("order.made")).containsExactly("desk");
    assertThat(reads).as("known by its own content").hasSize(1);
    Event next = given.event("order.made");
    patch(desk, "'instructions':'be kinder'");
    betweenReads =
        () -> given.operators.archive(given.caller, desk.id(), given.connectors.ids.next());
    assertThat(read(next).operators()).isEmpty();
  }

  @Test
  void aChangeOfAConnectorIsSeenByTheNextEvent() {
    desk("desk", "{'event_types':['order.*']}");
    Connector sandbox = read(given.event("order.made")).connectors().getFirst();
    Outcome<Connector> renamed =
        given.connectors.installations.patch(
            given.caller,
            sandbox.id(),
            ConnectorFixture.change("{'name':'other'}"),
            given.connectors.ids.next());
    assertThat(renamed).isInstanceOf(Done.class);
    assertThat(read(given.event("order.made")).connectors())
        .extracting(Connector::name)
        .containsExactly("other");
    Connector second = given.connectors.installed("{'listing_id':'cn-sandbox','name':'second'}");
    assertThat(read(given.event("order.made")).connectors())
        .extracting(Connector::name)
        .containsExactly("second", "other");
    given.connectors.installations.uninstall(
        given.caller, second.id(), given.connectors.ids.next());
    assertThat(read(given.event("order.made")).connectors())
        .extracting(Connector::name)
        .containsExactly("other");
  }

  private static boolean isBody(Key key) {
    return key.partition().endsWith("#operator") || key.partition().endsWith("#connector");
  }
}
