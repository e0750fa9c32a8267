package io.actiongovernance.event;

/**
 * A place in the combined order of ingested events and outcomes, after all positions up to these.
 *
 * @param position the position in the log of envelopes or of first touches
 * @param outcomes the position in the log of outcomes; 0 if none are included
 */
record Place(long position, long outcomes) {
  static final Place BEGINNING = new Place(0, 0);

  Place max(Place other) {
    return new Place(Math.max(position, other.position), Math.max(outcomes, other.outcomes));
  }
}
