package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.event.HookedStore;
import io.actiongovernance.event.HookedStore.Hook;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.store.InMemoryStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * An action is delivered twice at once. A message that was not handled stays hidden, and all others
 * of its entity behind it, so that neither delivery may be left to come again.
 */
class SecondDeliveryTest {
  private @Nullable Runnable meanwhile;
  private final LoopFixture fixture =
      new LoopFixture(new HookedStore(new InMemoryStore(), Hook.NONE, _ -> doMeanwhile()));

  private void doMeanwhile() {
    Runnable once = meanwhile;
    meanwhile = null;
    if (once != null) {
      once.run();
    }
  }

  @Test
  void aDeliveryThatReadTheActionBeforeAnotherDisposedOfItIsHandled() {
    fixture.messagesTakeTheirTime = true;
    Plan plan = fixture.propose(fixture.refund("1", 5));
    Dispatch dispatch = Dispatch.of(fixture.action(plan, 0));
    ExecuteAction executeAction = fixture.loop.executing().executeAction();
    meanwhile = () -> executeAction.execute(dispatch);
    executeAction.execute(dispatch); // reads the action, and then the other one does it all
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
    fixture.deliver();
    assertThat(fixture.calls).hasSize(1);
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
  }
}
