package io.actiongovernance.functions.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.event.EventCursor;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.Order;
import io.actiongovernance.functions.api.ApiException;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.route.PageCursors;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.policy.Glob;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cursors of events are bound to (contract, section 7). */
final class EventCursorsSpec {
  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final InstantSource clock = () -> now;
  private final Ids ids = new Ids(clock, new SecureRandom());
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
  private final EventCursors cursors =
      new EventCursors(
          new PageCursors(new Sealer(List.of(new byte[32]), new SecureRandom()), clock), clock);
  private final EventFilter filter = filter("order.*", "shop", "w1", "order:1");
  private final EventCursor cursor = new EventCursor(7, Order.DESC, 12, 7);
  private final String sealed = cursors.seal(partition, filter, cursor);

  private static EventFilter filter(
      String type, String source, String workspaceId, @Nullable String entity) {
    return new EventFilter(Glob.parse(type), source, workspaceId, entity);
  }

  @Test
  void everyKindOfCursorOpensAsItWasSealed() {
    for (EventCursor one : List.of(cursor, EventCursor.at(0), EventCursor.at(12))) {
      String text = cursors.seal(partition, filter, one);
      assertThat(text).matches("cur_[A-Za-z0-9_-]+");
      assertThat(cursors.open(partition, filter, text)).isEqualTo(one);
    }
  }

  @Test
  void aCursorIsBoundToEachPartOfTheFilter() {
    for (EventFilter other :
        List.of(
            EventFilter.NONE,
            filter("order.created", "shop", "w1", "order:1"),
            filter("order.*", "desk", "w1", "order:1"),
            filter("order.*", "shop", "w2", "order:1"),
            filter("order.*", "shop", "w1", "order:2"),
            filter("order.*", "w1", "shop", "order:1"),
            filter("order.*", "shop", "w1", null))) {
      assertInvalid(partition, other, sealed);
    }
  }

  @Test
  void aCursorIsBoundToTenantAndMode() {
    assertInvalid(new Partition(partition.tenant(), Mode.TEST), filter, sealed);
    assertInvalid(new Partition(TenantId.next(ids), Mode.LIVE), filter, sealed);
  }

  @Test
  void aCursorIsValidForThirtyDays() {
    now = now.plus(Duration.ofDays(30).minusMillis(1));
    assertThat(cursors.open(partition, filter, sealed)).isEqualTo(cursor);
    now = now.plusMillis(1);
    assertInvalid(partition, filter, sealed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "cur_", "cur_%", "cur_AAAA", "ev_01jq0000000000000000000000", "cur_é"})
  void textThatIsNoCursorIsInvalid(String text) {
    assertInvalid(partition, filter, text);
  }

  @Test
  void aCursorThatWasTamperedWithIsInvalid() {
    String body = sealed.substring(4);
    assertInvalid(partition, filter, body);
    assertInvalid(partition, filter, "cur_" + new StringBuilder(body).reverse());
    assertInvalid(partition, filter, sealed.substring(0, sealed.length() - 4));
  }

  private void assertInvalid(Partition under, EventFilter other, String text) {
    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> cursors.open(under, other, text));
    assertThat(refused).as(text).isNotNull();
    assertThat(refused.error().code()).isEqualTo(ErrorCode.INVALID_CURSOR);
  }
}
