package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import java.util.Locale;

/**
 * One of the logs of a tenant in one mode. Each log has its own positions, so that writers to one
 * log never wait for writers to another.
 */
record Log(Partition partition, Kind kind) {
  enum Kind {
    /** The envelopes, in order of arrival. */
    ENVELOPES,
    /** The first touches of entities by the plans of events. */
    LINKS,
    /** Outcomes of plans, reported by the service itself. */
    OUTCOMES
  }

  static Log of(Partition partition, Kind kind) {
    return new Log(partition, kind);
  }

  /** Returns its partition key, or the key of data about it: {@code t_…#live#envelopes-head}. */
  String key(String suffix) {
    return partition.key(kind.name().toLowerCase(Locale.ROOT) + suffix);
  }
}
