package io.actiongovernance.connector;

import io.actiongovernance.access.Partition;

@FunctionalInterface
public interface CapabilityUse {
  /** Returns whether an active operator of the partition depends on the capability. */
  boolean neededByActiveOperator(Partition partition, String capability);
}
