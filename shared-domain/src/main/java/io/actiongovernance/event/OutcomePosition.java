package io.actiongovernance.event;

import io.actiongovernance.store.Item;

/**
 * Place of an outcome among ingested events: strictly after these positions of the other two logs,
 * and before the next ones. It never goes back from one position of the outcomes' log to the next.
 * So the outcomes and either of the other logs have one order, even if clocks differ.
 *
 * @param envelopes a position of the log of envelopes, or 0
 * @param links a position of the log of first touches, or 0
 */
public record OutcomePosition(long envelopes, long links) {
  static final OutcomePosition NONE = new OutcomePosition(0, 0);

  private static final String ENVELOPES = "envelopes";
  private static final String LINKS = "links";

  /**
   * Returns the place that an item or head of the outcomes' log has among ingested events; {@link
   * #NONE} for any other item.
   */
  static OutcomePosition of(Item item) {
    return new OutcomePosition(item.whole(ENVELOPES, 0), item.whole(LINKS, 0));
  }

  static String attribute(Log.Kind kind) {
    return switch (kind) {
      case ENVELOPES -> ENVELOPES;
      case LINKS -> LINKS;
      case OUTCOMES -> throw new IllegalArgumentException("Outcomes have no position of outcomes.");
    };
  }

  long in(Log.Kind kind) {
    return attribute(kind).equals(ENVELOPES) ? envelopes : links;
  }

  OutcomePosition max(OutcomePosition other) {
    return new OutcomePosition(Math.max(envelopes, other.envelopes), Math.max(links, other.links));
  }

  void put(Item.Builder item) {
    if (!equals(NONE)) {
      item.with(ENVELOPES, envelopes).with(LINKS, links);
    }
  }
}
