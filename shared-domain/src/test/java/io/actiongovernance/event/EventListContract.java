package io.actiongovernance.event;

import static io.actiongovernance.event.EventFixture.filter;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Reach;
import io.actiongovernance.id.EntityKeys;
import io.actiongovernance.id.EventId;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The list of events on every {@link Store}: filters, orders, bounds and pages (contract, section
 * 7).
 */
public abstract class EventListContract {
  private EventFixture fixture;
  private final List<Event> events = new ArrayList<>();

  protected abstract Store store();

  @BeforeEach
  void aLogOfSixEventsAMinuteApart() {
    fixture = new EventFixture(store());
    add("shop", "order.created", "w1");
    add("shop", "order.refund.issued", "w2");
    add("desk", "ticket.created", null);
    add("desk", "order.created", "w1");
    add("shop", "order.deleted", null);
    add("shop", "order.created", "w2");
    link(3, "order:1");
    link(0, "order:1", "order:2");
    link(5, "order:2");
  }

  private void add(String source, String type, @Nullable String workspaceId) {
    events.add(fixture.log.append(fixture.envelope(source, type, workspaceId, "{}")));
    fixture.time.pass(Duration.ofMinutes(1));
  }

  private void link(int event, String... entities) {
    fixture.log.link(events.get(event), EntityKeys.of(entities));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, -, -, 0 1 2 3 4 5",
        "order.created, -, -, -, 0 3 5",
        "order.*, -, -, -, 0 3 4 5",
        "order.*.*, -, -, -, 1",
        "*.created, -, -, -, 0 2 3 5",
        "order, -, -, -, ''",
        "-, shop, -, -, 0 1 4 5",
        "-, nobody, -, -, ''",
        "-, -, w1, -, 0 3",
        "-, -, -, order:1, 3 0",
        "-, -, -, order:2, 0 5",
        "-, -, -, order:9, ''",
        "order.created, shop, -, -, 0 5",
        "*.created, desk, w1, -, 3",
        "-, shop, w2, order:2, 5",
        "-, shop, -, order:1, 0",
        "*.*, desk, -, order:1, 3",
      })
  void filtersAreCombinedWithAnd(
      @Nullable String type,
      @Nullable String source,
      @Nullable String workspaceId,
      @Nullable String entity,
      String expected) {
    List<EventId> wanted =
        Arrays.stream(expected.split(" "))
            .filter(text -> !text.isEmpty())
            .map(text -> events.get(Integer.parseInt(text)).id())
            .toList();
    EventFilter filter = filter(type, source, workspaceId, entity);
    for (int limit : List.of(1, 2, 100)) {
      assertThat(listed(Order.ASC, filter, limit)).isEqualTo(wanted);
      assertThat(listed(Order.DESC, filter, limit).reversed()).isEqualTo(wanted);
    }
  }

  private List<EventId> listed(Order order, EventFilter filter, int limit) {
    return fixture.everything(fixture.query(order, filter), limit, null).ids();
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // events are at minute 0 to 5
        "-, 2, 0 1",
        "2, -, 2 3 4 5",
        "1, 4, 1 2 3",
        "3, 3, ''",
        "-, 0, ''",
        "6, -, ''",
        "-9, 99, 0 1 2 3 4 5"
      })
  void sinceIsInclusiveAndUntilExclusive(
      @Nullable Integer since, @Nullable Integer until, String expected) {
    List<EventId> wanted =
        Arrays.stream(expected.split(" "))
            .filter(text -> !text.isEmpty())
            .map(text -> events.get(Integer.parseInt(text)).id())
            .toList();
    for (Order order : Order.values()) {
      EventQuery query =
          new EventQuery(
              fixture.partition,
              Reach.WHOLE,
              EventFilter.NONE,
              order,
              since == null ? null : events.getFirst().createdAt().plusSeconds(60L * since),
              until == null ? null : events.getFirst().createdAt().plusSeconds(60L * until));
      for (int limit : List.of(1, 3)) {
        List<EventId> got = new ArrayList<>(fixture.everything(query, limit, null).ids());
        if (order == Order.DESC) {
          Collections.reverse(got);
        }
        assertThat(got).isEqualTo(wanted);
      }
    }
  }

  @Test
  void timeBoundsOnAnEntityAreThoseOfTheEventNotOfItsLink() {
    EventQuery query =
        new EventQuery(
            fixture.partition,
            Reach.WHOLE,
            filter(null, null, null, "order:2"),
            Order.DESC,
            events.get(5).createdAt(),
            null);
    assertThat(fixture.everything(query, 10, null).ids()).containsExactly(events.get(5).id());
    EventQuery older =
        new EventQuery(
            fixture.partition,
            Reach.WHOLE,
            query.filter(),
            Order.ASC,
            null,
            events.get(5).createdAt());
    assertThat(fixture.everything(older, 10, null).ids()).containsExactly(events.get(0).id());
  }

  @Test
  void aPinnedCallerSeesItsWorkspaceOnly() {
    EventQuery pinned =
        new EventQuery(fixture.partition, Reach.of("w1"), EventFilter.NONE, Order.ASC, null, null);
    assertThat(fixture.everything(pinned, 10, null).ids())
        .containsExactly(events.get(0).id(), events.get(3).id());
    EventQuery other =
        new EventQuery(
            fixture.partition,
            Reach.of("w1"),
            filter(null, null, "w2", null),
            Order.ASC,
            null,
            null);
    assertThat(fixture.everything(other, 10, null).ids()).isEmpty();
  }

  @Test
  void theLastCursorNamesTheHeadOfTheFirstPage() {
    EventsPage first = fixture.list.list(fixture.all(Order.DESC), 4, null);
    Event later = fixture.append();
    EventsPage last = fixture.list.list(fixture.all(Order.DESC), 4, first.next());
    assertThat(last.more()).isFalse();
    assertThat(fixture.everything(fixture.all(Order.ASC), 1, last.next()).ids())
        .containsExactly(later.id());
  }

  @Test
  void anAscendingListEndsAtTheHeadOfItsFirstPageToo() {
    EventsPage first = fixture.list.list(fixture.all(Order.ASC), 4, null);
    Event later = fixture.append();
    EventsPage last = fixture.list.list(fixture.all(Order.ASC), 4, first.next());
    assertThat(last.items()).hasSize(2);
    assertThat(fixture.everything(fixture.all(Order.ASC), 1, last.next()).ids())
        .containsExactly(later.id());
  }

  @Test
  void theLastCursorOfAListYieldsNothingMoreInItsOwnOrder() {
    EventCursor end = fixture.everything(fixture.all(Order.DESC), 100, null).end();
    EventsPage again = fixture.list.list(fixture.all(Order.DESC), 100, end);
    assertThat(again.items()).isEmpty();
    assertThat(again.next()).isEqualTo(end);
  }

  @Test
  void theCursorOfAnEventNamesItsPlaceForBothOrders() {
    EventCursor cursor =
        fixture.list.list(fixture.all(Order.ASC), 3, null).items().getLast().cursor();
    assertThat(fixture.everything(fixture.all(Order.ASC), 10, cursor).ids())
        .containsExactlyElementsOf(ids(3, 4, 5));
    assertThat(fixture.everything(fixture.all(Order.DESC), 1, cursor).ids())
        .containsExactlyElementsOf(ids(1, 0));
  }

  @Test
  void aPageCursorOfOneOrderIsAPlaceForTheOther() {
    EventCursor cursor = fixture.list.list(fixture.all(Order.DESC), 2, null).next();
    assertThat(fixture.everything(fixture.all(Order.ASC), 10, cursor).ids())
        .containsExactlyElementsOf(ids(5));
  }

  private List<EventId> ids(int... which) {
    return Arrays.stream(which).mapToObj(at -> events.get(at).id()).toList();
  }

  @Test
  void theCursorOfAnEmptyLogListsAllLaterEvents() {
    EventFixture empty = new EventFixture(store());
    EventsPage page = empty.list.list(empty.all(Order.DESC), 10, null);
    assertThat(page.items()).isEmpty();
    assertThat(page.more()).isFalse();
    Event event = empty.append();
    assertThat(empty.everything(empty.all(Order.ASC), 10, page.next()).ids())
        .containsExactly(event.id());
  }

  @Test
  void deletedExpiredEventsAreNoHole() {
    for (int count = 0; count < LogFrontier.NOTED_EVERY; count++) {
      fixture.append();
    }
    fixture.time.pass(Event.RETENTION);
    fixture
        .store
        .query(Query.of(Table.EVENTS, LogItems.partition(fixture.envelopes)).limit(1000))
        .items()
        .forEach(item -> fixture.store.write(Write.delete(item.key(), Condition.always())));
    Event event = fixture.append();
    assertThat(fixture.listed()).containsExactly(event.id());
  }
}
