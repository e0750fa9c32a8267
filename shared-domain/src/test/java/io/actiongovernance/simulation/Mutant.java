package io.actiongovernance.simulation;

import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.store.Store;

/**
 * A planted bug: it bends what passes a port, so that the product behaves as if written wrongly.
 */
interface Mutant {
  /** The product as it is. */
  Mutant NONE = new Mutant() {};

  default Store store(Store store, World world) {
    return store;
  }

  default ToolCaller toolCaller(ToolCaller toolCaller, World world) {
    return toolCaller;
  }

  default Dispatcher dispatcher(Dispatcher dispatcher, World world) {
    return dispatcher;
  }
}
