package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.store.Store;
import java.time.Instant;
import java.time.InstantSource;

/** Dispatches an overdue undo again. Thread-safe. */
public final class SweepUndo {
  private final Store store;
  private final Actions actions;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  public SweepUndo(Store store, Actions actions, Dispatcher dispatcher, InstantSource clock) {
    this.store = store;
    this.actions = actions;
    this.dispatcher = dispatcher;
    this.clock = clock;
  }

  void moveOn(Partition partition, ActionId id) {
    actions
        .find(partition, id)
        .ifPresent(
            undo -> {
              Instant next = KernelTimes.look(undo.id().madeAt(), clock.instant());
              store.write(Actions.postpone(undo, next));
              dispatcher.dispatch(Dispatch.of(undo), clock.millis());
            });
  }
}
