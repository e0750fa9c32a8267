package io.actiongovernance.localstack.bench;

import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/** Governed actions one at a time, from their event to where nothing more is done for them. */
final class SingleActions {
  /** What runs of itself, whatever is done. */
  static final Set<String> STEADY =
      Trigger.bindings().stream()
          .filter(binding -> binding.source() instanceof Every)
          .map(Binding::function)
          .collect(Collectors.toSet());

  private static final int WARM = 60;
  private static final int AT_ONCE = 16;

  private final Loop loop;
  private final IntSupplier done;

  /**
   * @param done how much has been done so far; while it grows, something is being done
   */
  SingleActions(Loop loop, IntSupplier done) {
    this.loop = loop;
    this.done = done;
  }

  /**
   * Unheld actions, many at once. An item of a tally takes two requests when it is first written,
   * and a tenant has several, of which each action draws one: after so many all are there.
   */
  void warm() throws Exception {
    long wanted = loop.applied() + WARM;
    Parallel.run(WARM, AT_ONCE, at -> loop.ingestAllowed("warm-" + at, "note " + at));
    while (loop.applied() < wanted) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    awaitQuiet();
  }

  void unheld(String entity) throws Exception {
    loop.awaitPlan(loop.ingestAllowed(entity, entity), "executed");
    awaitQuiet();
  }

  void held(String entity) throws Exception {
    String plan = loop.awaitPlan(loop.ingestHeld(entity, entity), "proposed");
    awaitQuiet(); // a person is never faster than the timer's start
    loop.post("/v1/plans/" + plan + "/approve", "{}");
    awaitQuiet();
  }

  /** Nothing more is done once nothing was for a while. */
  void awaitQuiet() throws InterruptedException {
    int before = -1;
    while (before != done.getAsInt()) {
      before = done.getAsInt();
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }
}
