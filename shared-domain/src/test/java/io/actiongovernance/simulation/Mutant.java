package io.actiongovernance.simulation;

import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.store.Store;
import java.time.Instant;

/**
 * A planted bug: it bends what passes a port, so that the product behaves as if written wrongly.
 */
interface Mutant {
  /** The product as it is. */
  Mutant NONE = new Mutant() {};

  /** The product as it is, with outcomes told. */
  Mutant TELLING =
      new Mutant() {
        @Override
        public boolean tells() {
          return true;
        }
      };

  /** Whether outcomes are told: a relay and a reader run beside the kernel. */
  default boolean tells() {
    return false;
  }

  /** Whether it can make a difference to such a run at all: where it cannot, none is made. */
  default boolean concerns(World world, Scenario scenario) {
    return true;
  }

  default Store store(Store store, World world) {
    return store;
  }

  default ToolCaller toolCaller(ToolCaller toolCaller, World world) {
    return toolCaller;
  }

  /** When an executor believes that its invocation ends. */
  default Instant until(Instant end) {
    return end;
  }

  default Dispatcher dispatcher(Dispatcher dispatcher, World world) {
    return dispatcher;
  }
}
