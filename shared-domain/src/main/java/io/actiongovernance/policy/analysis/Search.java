package io.actiongovernance.policy.analysis;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a point of one box that is in none of the others, with bounded work. Not thread-safe.
 *
 * <p>The search avoids a box that overlaps the remainder by leaving it in one dimension. It tries
 * each dimension, in parts without overlap, so that no part that was ruled out is searched again.
 * The worst case is exponential in the number of boxes, but sets of guardrails are far from it.
 */
final class Search {
  private static final long LONGEST = 300_000;

  private final int[] sizes;
  private final Budget budget;
  private long left;

  /** Number of steps that all searches of an analysis share. */
  static final class Budget {
    private long left;

    Budget(long steps) {
      this.left = steps;
    }

    boolean isSpent() {
      return left <= 0;
    }
  }

  private static final class GaveUp extends RuntimeException {
    private static final long serialVersionUID = 1;

    GaveUp() {
      super(null, null, false, false);
    }
  }

  sealed interface Outcome {
    /** Any point of this box is a solution. */
    record Found(Box box) implements Outcome {}

    record None() implements Outcome {}

    /** The search ran out of steps. */
    record GaveUp() implements Outcome {}
  }

  /**
   * @param sizes number of points in each dimension
   */
  Search(int[] sizes, Budget budget) {
    this.sizes = sizes;
    this.budget = budget;
  }

  Outcome find(Box start, List<Box> avoid) {
    if (start.isEmpty()) {
      return new Outcome.None();
    }
    left = Math.min(LONGEST, budget.left);
    long given = left;
    left -= avoid.size();
    List<Box> near = new ArrayList<>();
    for (int at = 0; at < avoid.size(); at++) {
      if (avoid.get(at).intersects(start)) {
        near.add(avoid.get(at));
      }
    }
    near.sort(Comparator.comparingInt(Box::bounds)); // the widest first
    try {
      Box found = outside(start, near, 0);
      return found == null ? new Outcome.None() : new Outcome.Found(found);
    } catch (GaveUp e) {
      return new Outcome.GaveUp();
    } finally {
      budget.left -= given - left;
    }
  }

  private @Nullable Box outside(Box current, List<Box> avoid, int from) {
    for (int at = from; at < avoid.size(); at++) {
      left--;
      if (left <= 0) {
        throw new GaveUp();
      }
      if (current.intersects(avoid.get(at))) {
        return leave(current, avoid, at);
      }
    }
    return current;
  }

  private @Nullable Box leave(Box current, List<Box> avoid, int at) {
    Box obstacle = avoid.get(at);
    Box rest = current;
    for (int dimension : obstacle.dimensions()) {
      BitSet inside = Objects.requireNonNull(obstacle.set(dimension));
      BitSet all = points(rest, dimension);
      BitSet out = (BitSet) all.clone();
      out.andNot(inside);
      if (!out.isEmpty()) {
        Box found = outside(rest.with(dimension, out), avoid, at + 1);
        if (found != null) {
          return found;
        }
        all.and(inside);
        rest = rest.with(dimension, all);
      }
    }
    return null;
  }

  private BitSet points(Box box, int dimension) {
    BitSet set = box.set(dimension);
    if (set != null) {
      return (BitSet) set.clone();
    }
    BitSet all = new BitSet(sizes[dimension]);
    all.set(0, sizes[dimension]);
    return all;
  }
}
