package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.event.HookedStore;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The bounds of a sweep. */
class SweepTest {
  private static final int OVERDUE = 8;

  private Duration slowness = Duration.ZERO;
  private final LoopFixture fixture =
      new LoopFixture(new HookedStore(new InMemoryStore(), Hook.NONE, _ -> takesItsTime()));

  private void takesItsTime() {
    if (!slowness.isZero()) {
      fixture.time.pass(slowness);
    }
  }

  /** Plans that are due, of which nothing is left but that. */
  private void overdue() {
    for (int number = 0; number < OVERDUE; number++) {
      PlanId id = PlanId.next(fixture.connectors.ids);
      Item item =
          Item.at(Key.single(Table.STATE, "due-" + number))
              .with("kind", "plan")
              .with("id", id.value())
              .with("partition", fixture.caller.partition().key())
              .with("due_shard", "due#" + number % 4)
              .with("due", Timestamps.format(fixture.time.instant().minusSeconds(1)))
              .build();
      fixture.store.write(Write.insert(item));
    }
  }

  @Test
  void allThatIsOverdueIsLookedAt() {
    overdue();
    assertThat(fixture.loop.sweep().sweep()).isEqualTo(new Sweep.Found(OVERDUE, 0));
  }

  @Test
  void aSweepEndsBeforeItsFunctionIsStoppedAndTellsWhatItDid() {
    overdue();
    slowness = Duration.ofSeconds(9);
    assertThat(fixture.loop.sweep().sweep()).isEqualTo(new Sweep.Found(3, 0));
  }
}
