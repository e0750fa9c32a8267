package io.actiongovernance.event;

/**
 * A place in the one order of what was ingested and of outcomes: after all positions up to these.
 *
 * @param position in the log of envelopes or of first touches
 * @param outcomes in the log of outcomes; 0 where none are included
 */
record Place(long position, long outcomes) {
  static final Place BEGINNING = new Place(0, 0);

  Place max(Place other) {
    return new Place(Math.max(position, other.position), Math.max(outcomes, other.outcomes));
  }
}
