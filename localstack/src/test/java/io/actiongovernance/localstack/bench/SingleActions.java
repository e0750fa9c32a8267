package io.actiongovernance.localstack.bench;

import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** Governed actions one at a time, from their event to where nothing more is done for them. */
final class SingleActions {
  private final Loop loop;
  private final IntSupplier done;

  /**
   * @param done how much has been done so far; while it grows, something is being done
   */
  SingleActions(Loop loop, IntSupplier done) {
    this.loop = loop;
    this.done = done;
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
