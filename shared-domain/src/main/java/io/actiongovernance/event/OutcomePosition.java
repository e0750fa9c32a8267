package io.actiongovernance.event;

import io.actiongovernance.store.Item;

/**
 * Where an outcome stands among what was ingested: strictly after these positions of the other two
 * logs, and before the next ones. It never goes back from one position of the outcomes' log to the
 * next, so that the outcomes and either of the other logs have one order, whatever clocks say.
 *
 * @param envelopes a position of the log of envelopes, or 0
 * @param links a position of the log of first touches, or 0
 */
public record OutcomePosition(long envelopes, long links) {
  static final OutcomePosition NONE = new OutcomePosition(0, 0);

  private static final String ENVELOPES = "envelopes";
  private static final String LINKS = "links";

  /** What an item of the outcomes' log, or its head, says; none on items of other logs. */
  static OutcomePosition of(Item item) {
    return new OutcomePosition(item.whole(ENVELOPES, 0), item.whole(LINKS, 0));
  }

  /** The name of the attribute that holds the position in a log of this kind. */
  static String attribute(Log.Kind kind) {
    return switch (kind) {
      case ENVELOPES -> ENVELOPES;
      case LINKS -> LINKS;
      case OUTCOMES -> throw new IllegalArgumentException("Outcomes do not stand among themselves");
    };
  }

  /** The position in the log of this kind. */
  long in(Log.Kind kind) {
    return attribute(kind).equals(ENVELOPES) ? envelopes : links;
  }

  /** The later of both, log by log. */
  OutcomePosition max(OutcomePosition other) {
    return new OutcomePosition(Math.max(envelopes, other.envelopes), Math.max(links, other.links));
  }

  void put(Item.Builder item) {
    if (!equals(NONE)) {
      item.with(ENVELOPES, envelopes).with(LINKS, links);
    }
  }
}
