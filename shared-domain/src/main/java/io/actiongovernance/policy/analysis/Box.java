package io.actiongovernance.policy.analysis;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A set of actions, bounded in some dimensions. An action is in it if each of the action's points
 * is in the set of its dimension. A dimension without a set is not bounded. Immutable, as are its
 * sets.
 */
final class Box {
  static final Box WHOLE = new Box(new int[0], new BitSet[0]);

  private final int[] dimensions;
  private final BitSet[] sets;

  private Box(int[] dimensions, BitSet[] sets) {
    this.dimensions = dimensions;
    this.sets = sets;
  }

  static Box of(int dimension, BitSet set) {
    return new Box(new int[] {dimension}, new BitSet[] {set});
  }

  /** Returns the bounded dimensions, in order. */
  int[] dimensions() {
    return dimensions.clone();
  }

  int bounds() {
    return dimensions.length;
  }

  /** Returns the points of a dimension, or null for all points. */
  @Nullable BitSet set(int dimension) {
    int at = Arrays.binarySearch(dimensions, dimension);
    return at < 0 ? null : sets[at];
  }

  boolean isEmpty() {
    return Arrays.stream(sets).anyMatch(BitSet::isEmpty);
  }

  /** Returns whether two boxes, neither of them empty, have an action in common. */
  boolean intersects(Box other) {
    int mine = 0;
    int its = 0;
    while (mine < dimensions.length && its < other.dimensions.length) {
      int order = Integer.compare(dimensions[mine], other.dimensions[its]);
      if (order == 0 && !sets[mine].intersects(other.sets[its])) {
        return false;
      }
      mine += order <= 0 ? 1 : 0;
      its += order >= 0 ? 1 : 0;
    }
    return true;
  }

  Box and(Box other) {
    Box both = this;
    for (int at = 0; at < other.dimensions.length; at++) {
      BitSet set = both.set(other.dimensions[at]);
      BitSet common = other.sets[at];
      if (set != null) {
        common = (BitSet) set.clone();
        common.and(other.sets[at]);
      }
      both = both.with(other.dimensions[at], common);
    }
    return both;
  }

  /** Returns this box with another set for one dimension. */
  Box with(int dimension, BitSet set) {
    int at = Arrays.binarySearch(dimensions, dimension);
    if (at >= 0) {
      BitSet[] changed = sets.clone();
      changed[at] = set;
      return new Box(dimensions, changed);
    }
    int place = -at - 1;
    int[] moreDimensions = new int[dimensions.length + 1];
    BitSet[] moreSets = new BitSet[dimensions.length + 1];
    System.arraycopy(dimensions, 0, moreDimensions, 0, place);
    System.arraycopy(sets, 0, moreSets, 0, place);
    moreDimensions[place] = dimension;
    moreSets[place] = set;
    System.arraycopy(dimensions, place, moreDimensions, place + 1, dimensions.length - place);
    System.arraycopy(sets, place, moreSets, place + 1, dimensions.length - place);
    return new Box(moreDimensions, moreSets);
  }
}
