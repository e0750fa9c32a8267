package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import java.util.Locale;

/**
 * One of the logs of a tenant in one mode. Each has positions of its own, so that who writes to one
 * waits for nobody who writes to another.
 */
record Log(Partition partition, Kind kind) {
  /** What its positions hold. */
  enum Kind {
    /** The envelopes, in the order in which they came in. */
    ENVELOPES,
    /** The first touches of entities by the plans of events. */
    LINKS,
    /** What became of plans, told by the service itself. */
    OUTCOMES
  }

  static Log of(Partition partition, Kind kind) {
    return new Log(partition, kind);
  }

  /** Its part of the partition, or of what is kept about it: {@code t_…#live#envelopes-head}. */
  String key(String suffix) {
    return partition.key(kind.name().toLowerCase(Locale.ROOT) + suffix);
  }
}
