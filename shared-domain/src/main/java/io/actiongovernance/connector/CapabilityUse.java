package io.actiongovernance.connector;

import io.actiongovernance.access.Partition;

/** What connectors need to know of operators: whether a capability may go. */
@FunctionalInterface
public interface CapabilityUse {
  /** Whether an active operator of the partition names the capability as one it depends on. */
  boolean neededByActiveOperator(Partition partition, String capability);
}
