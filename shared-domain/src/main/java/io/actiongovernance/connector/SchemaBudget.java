package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;

/**
 * Remaining cost of work with a schema. One count of steps covers compiling, validating and
 * sampling it, however much its references multiply, however deep it is and however many items it
 * asks for. A step is about a pattern's work at one character, some ten nanoseconds. Every part
 * that is built counts as many steps, so that memory is bounded as well as time. Used by one
 * thread, for which it is in force while {@link #run} runs.
 */
final class SchemaBudget {
  /** Cost for a keyword to look at a value once, besides the cost of their sizes. */
  static final int LOOK = 10;

  /**
   * Cost of a part that is built and kept: part of a compiled schema, of a sample, or a complaint.
   */
  static final int PART = 100;

  /** Steps for one schema, or one validation: 50,000 parts, or half a million looks. */
  static final long STEPS = 5_000_000;

  /** Maximum nesting of work: far below what a thread's stack holds. */
  private static final int DEEPEST = 300;

  private static final ScopedValue<SchemaBudget> IN_FORCE = ScopedValue.newInstance();

  private long left;
  private int depth;

  SchemaBudget(long steps) {
    this.left = steps;
  }

  /** The budget is used up. This is an error, because the library would log exceptions. */
  static final class TooCostly extends Error {
    private static final long serialVersionUID = 1L;

    TooCostly() {
      super("The schema takes too long.", null, false, false);
    }
  }

  /** Runs the work under a new budget, or under the budget of the enclosing work. */
  static <T> T limited(Supplier<T> work) {
    return IN_FORCE.isBound() ? work.get() : new SchemaBudget(STEPS).run(work);
  }

  /**
   * Runs the work under this budget.
   *
   * @throws TooCostly if the budget is used up, or the work is nested too deeply
   */
  <T> T run(Supplier<T> work) {
    return ScopedValue.where(IN_FORCE, this).call(work::get);
  }

  static SchemaBudget inForce() {
    return IN_FORCE.get();
  }

  long left() {
    return left;
  }

  void spend(long steps) {
    left -= steps;
    if (left < 0) {
      throw new TooCostly();
    }
  }

  <T> T deeper(Supplier<T> work) {
    if (++depth > DEEPEST) {
      throw new TooCostly();
    }
    try {
      return work.get();
    } finally {
      depth--;
    }
  }

  /** Returns the size of a value, without the size of its members. */
  static long size(JsonNode node) {
    return node.isTextual() ? node.textValue().length() / 16 : node.size();
  }

  /** Returns the size of a value and everything in it. */
  static long wholeSize(JsonNode node) {
    long size = 1 + size(node);
    for (JsonNode member : node) {
      size += wholeSize(member);
    }
    return size;
  }
}
