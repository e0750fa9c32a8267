package io.actiongovernance.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.channel.Bell.Turn;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.webhook.EndpointStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a channel rings: once a minute, and then for all that came in between. */
final class BellTest {
  private static final String KIND = "approval.requested#op_1";

  private final LoopFixture fixture = new LoopFixture();
  private final Bell bell = new Bell(fixture.store, fixture.connectors.transactions, fixture.time);
  private final Channel channel =
      new Channel(
          new ChannelId("chn_" + fixture.connectors.ids.next()),
          fixture.caller.partition(),
          null,
          null,
          List.of(NotificationType.APPROVAL_REQUESTED),
          List.of(),
          new Channel.Line(ChannelType.SLACK, "hooks.example", null, null, List.of()),
          null,
          EndpointStatus.ACTIVE,
          null,
          1,
          Instant.EPOCH,
          Instant.EPOCH);

  private DeliveryId next() {
    return new DeliveryId(DeliveryId.PREFIX + fixture.connectors.ids.next());
  }

  private Turn take(DeliveryId delivery) {
    return bell.take(channel, delivery, KIND);
  }

  private Instant digest() {
    return ((Turn.Digest) take(next())).at();
  }

  @Test
  void theFirstRingsAtOnceAndLaterOnesJoinADigestAfterAMinute() {
    Instant minuteLater = fixture.time.instant().plus(Bell.QUIET);
    assertThat(take(next())).isEqualTo(new Turn.Now());
    fixture.time.pass(Duration.ofSeconds(20));
    assertThat(digest()).isBetween(minuteLater, minuteLater.plusSeconds(1));
    Instant at = digest();
    fixture.time.pass(Bell.QUIET);
    assertThat(bell.tell(channel, at)).isEqualTo(Map.of(KIND, 2L));
    assertThat(bell.tell(channel, at)).isEqualTo(Map.of(KIND, 2L));
  }

  @Test
  void aDigestIsFollowedByAQuietMinute() {
    take(next());
    Instant first = digest();
    fixture.time.pass(Bell.QUIET);
    // It is late: what comes meanwhile joins it, and none rings beside it.
    assertThat(digest()).isEqualTo(first);
    assertThat(bell.tell(channel, first)).isEqualTo(Map.of(KIND, 2L));
    Instant second = digest();
    assertThat(second).isAfterOrEqualTo(first.plus(Bell.QUIET));
    assertThat(bell.tell(channel, second)).isEqualTo(Map.of(KIND, 1L));
    fixture.time.pass(Bell.QUIET.plusSeconds(1));
    assertThat(take(next())).isEqualTo(new Turn.Now());
  }

  @Test
  void aRepeatedNotificationKeepsItsTurnAndCountsOnce() {
    DeliveryId alone = next();
    DeliveryId joining = next();
    take(alone);
    Turn turn = take(joining);
    assertThat(take(alone)).isEqualTo(new Turn.Now());
    assertThat(take(joining)).isEqualTo(turn);
    assertThat(bell.tell(channel, ((Turn.Digest) turn).at())).isEqualTo(Map.of(KIND, 1L));
    assertThat(take(joining)).isEqualTo(turn);
  }

  @Test
  void anUnsentDigestSilencesTheChannelForAtMostAnotherMinute() {
    take(next());
    digest();
    fixture.time.pass(Duration.ofMinutes(2).plusSeconds(1));
    assertThat(take(next())).isEqualTo(new Turn.Now());
  }

  @Test
  void oneOfConcurrentNotificationsRings() throws Exception {
    Callable<Turn> taking = () -> take(next());
    List<Turn> turns = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
      for (Future<Turn> each :
          pool.invokeAll(IntStream.range(0, 40).mapToObj(_ -> taking).toList())) {
        turns.add(each.get());
      }
    }
    assertThat(turns).filteredOn(new Turn.Now()::equals).hasSize(1);
    Instant at =
        turns.stream()
            .filter(Turn.Digest.class::isInstance)
            .map(turn -> ((Turn.Digest) turn).at())
            .findFirst()
            .orElseThrow();
    assertThat(bell.tell(channel, at)).isEqualTo(Map.of(KIND, 39L));
  }
}
