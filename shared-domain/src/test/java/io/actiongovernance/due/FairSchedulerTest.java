package io.actiongovernance.due;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Who has the first look, where more is due than there is time for. */
final class FairSchedulerTest {
  private static final Partition MANY = partition("1");
  private static final Partition ONE = partition("2");
  private static final Duration SLOW = Duration.ofMillis(50);

  private final TestTime time = new TestTime();
  private final InMemoryStore store = new InMemoryStore();
  private final FairScheduler turns = new FairScheduler(store, time);
  private final List<String> seen = new ArrayList<>();
  private Duration slowness = Duration.ZERO;
  private int made;

  private static Partition partition(String digit) {
    return new Partition(new TenantId("t_" + digit.repeat(26)), Mode.LIVE);
  }

  /** One more item of the shard 0 that is due. */
  private String due(Partition partition, Instant at) {
    String id;
    do {
      id = "x_%05d".formatted(made++);
    } while (Math.floorMod(id.hashCode(), DueIndex.SHARDS) != 0);
    Item.Builder item = Item.at(Key.single(Table.STATE, partition.key(id))).with("id", id);
    store.write(Write.insert(DueIndex.STEPS.enter(item, partition, id, at).build()));
    return id;
  }

  private FairScheduler.Swept sweep() {
    seen.clear();
    return turns.sweep(DueIndex.STEPS, 0, this::look);
  }

  private boolean look(Item item) {
    time.pass(slowness);
    seen.add(item.text("id"));
    store.write(Write.delete(item.key(), Condition.present()));
    return false;
  }

  private final Logger log = (Logger) LoggerFactory.getLogger(FairScheduler.class);

  @BeforeEach
  void quiet() {
    log.setLevel(Level.OFF); // that there is no time for more is meant here
  }

  @AfterEach
  void loud() {
    log.setLevel(null);
  }

  @Test
  void oneTenantsBacklogDoesNotDelayOthers() {
    for (int number = 0; number < 2_000; number++) {
      due(MANY, time.instant().minusSeconds(600 - number / 4));
    }
    String other = due(ONE, time.instant());
    slowness = SLOW;
    Instant began = time.instant();
    int swept = sweep().seen();
    assertThat(seen).contains(other);
    assertThat(seen.indexOf(other)).isLessThanOrEqualTo(FairScheduler.TURN);
    // There was time for second turns, and the rest is due still.
    assertThat(swept).isBetween(2 * FairScheduler.TURN, 400);
    assertThat(Duration.between(began, time.instant())).isLessThan(Duration.ofSeconds(11));
    slowness = Duration.ZERO;
    assertThat(sweep().seen()).isEqualTo(2_001 - swept);
  }

  @Test
  void itemsDueLaterInThisMinuteAreNotVisitedYet() {
    time.pass(Duration.ofSeconds(60 - time.instant().getEpochSecond() % 60 + 30));
    String now = due(MANY, time.instant());
    due(MANY, time.instant().plusMillis(1));
    String others = due(ONE, time.instant().minusMillis(1));
    due(ONE, time.instant().plusSeconds(29));
    sweep();
    assertThat(seen).containsExactlyInAnyOrder(now, others);
    time.pass(Duration.ofMillis(1));
    assertThat(sweep().seen()).isOne();
    time.pass(Duration.ofSeconds(30));
    assertThat(sweep().seen()).isOne();
  }

  @Test
  void anItemIsDueToTheMillisecond() {
    Instant at = Instant.parse("2026-11-20T21:44:07.412Z");
    Item.Builder item = Item.at(Key.single(Table.STATE, "x"));
    assertThat(DueIndex.at(DueIndex.SCHEDULES.enter(item, ONE, "x#1", at).build())).isEqualTo(at);
  }

  @Test
  void theOldestOfATenantIsFirst() {
    String second = due(ONE, time.instant().minusSeconds(61));
    String first = due(ONE, time.instant().minusSeconds(130));
    String third = due(ONE, time.instant().minusSeconds(60));
    sweep();
    assertThat(seen).containsExactly(first, second, third);
  }
}
