package io.actiongovernance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.action.Action;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reading a plan with its actions in one request, which is none of one moment. */
final class FindWithActionsTest {
  /** Reads item by item, and has something happen after each. */
  private static final class Torn extends BendingStore {
    private Runnable meanwhile = () -> {};

    private Torn() {
      super(new InMemoryStore());
    }

    @Override
    public Map<Key, Item> getByKey(List<Key> keys) {
      Map<Key, Item> found = new LinkedHashMap<>();
      for (Key key : keys) {
        inner.get(key).ifPresent(item -> found.put(key, item));
        meanwhile.run();
      }
      return found;
    }
  }

  private final Torn store = new Torn();
  private final LoopFixture fixture = new LoopFixture(store);

  @Test
  void aDisposedPlanIsReadWithItsSettledActions() {
    Plan plan = fixture.propose(fixture.refund("1", 50));
    store.meanwhile =
        () -> {
          store.meanwhile = () -> {};
          fixture.deliver();
        };
    Plans.WithActions read = fixture.loop.reading().plans().findWithActions(plan).orElseThrow();
    assertThat(read.plan().state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(read.actions()).hasSize(1).allMatch(Action::settled);
  }
}
