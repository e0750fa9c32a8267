package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.FairScheduler;
import io.actiongovernance.due.LookForDue;
import io.actiongovernance.event.HookedStore;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The bounds of a sweep. */
class SweepTest {
  private static final int OVERDUE = 8;
  private static final int SHARD = 17;

  private Duration slowness = Duration.ZERO;
  private final LoopFixture fixture =
      new LoopFixture(new HookedStore(new InMemoryStore(), Hook.NONE, _ -> takesItsTime()));

  private void takesItsTime() {
    if (!slowness.isZero()) {
      fixture.time.pass(slowness);
    }
  }

  /** Plans of the shard that are due, of which nothing is left but that. */
  private void overdue(int number) {
    Partition partition = fixture.caller.partition();
    for (int made = 0; made < number; ) {
      PlanId id = PlanId.next(fixture.connectors.ids);
      if (Math.floorMod(id.value().hashCode(), DueIndex.SHARDS) == SHARD) {
        Item.Builder item =
            Item.at(Key.single(Table.STATE, "due-" + id))
                .with("kind", "plan")
                .with("id", id.value())
                .with("partition", partition.key());
        DueIndex.STEPS.enter(item, partition, id.value(), fixture.time.instant().minusSeconds(1));
        fixture.store.write(Write.insert(item.build()));
        made++;
      }
    }
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
  void aSweepVisitsEveryOverduePlan() {
    overdue(OVERDUE);
    assertThat(fixture.loop.executing().sweep().sweep(SHARD))
        .isEqualTo(new Sweep.Result(OVERDUE, 0));
  }

  @Test
  void aShardInWhichNothingIsDueIsNotSwept() {
    LookForDue look = new LookForDue(fixture.store, fixture.time);
    assertThat(look.shards(DueIndex.STEPS)).isEmpty();
    overdue(1);
    assertThat(look.shards(DueIndex.STEPS)).containsExactly(SHARD);
    assertThat(look.shards(DueIndex.DELIVERIES)).isEmpty();
  }

  @Test
  void aSweepEndsBeforeItsFunctionsTimeoutAndReportsItsCount() {
    overdue(OVERDUE);
    slowness = Duration.ofSeconds(9);
    assertThat(fixture.loop.executing().sweep().sweep(SHARD)).isEqualTo(new Sweep.Result(4, 0));
  }
}
