package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;

/**
 * Remaining cost of work with a schema. One count of steps covers compiling it, validating with it
 * and sampling it, whatever its references double, however deep it is and however many items it
 * asks for. A step is about a pattern's work at one character, some ten nanoseconds. Every part
 * that is built counts many steps, so memory is bounded with the time. Used by one thread, for
 * which it is in force while {@link #run} runs.
 */
final class SchemaBudget {
  /** Cost for one keyword to look at a value, besides the size of either. */
  static final int LOOK = 10;

  /** Cost of a part that is built and kept: of a compiled schema, of a sample, a complaint. */
  static final int PART = 100;

  /** For one schema, or one validation: 50,000 parts, or half a million looks. */
  static final long STEPS = 5_000_000;

  /** Deepest nesting of work: far below what a thread's stack holds. */
  private static final int DEEPEST = 300;

  private static final ScopedValue<SchemaBudget> IN_FORCE = ScopedValue.newInstance();

  private long left;
  private int depth;

  SchemaBudget(long steps) {
    this.left = steps;
  }

  /** The budget is used up. An error, because the library would log exceptions. */
  static final class TooCostly extends Error {
    private static final long serialVersionUID = 1L;

    TooCostly() {
      super("The schema takes too long.", null, false, false);
    }
  }

  /** Runs the work under a budget of its own, or under the enclosing work's budget. */
  static <T> T limited(Supplier<T> work) {
    return IN_FORCE.isBound() ? work.get() : new SchemaBudget(STEPS).run(work);
  }

  /**
   * Runs the work under this budget.
   *
   * @throws TooCostly if it is used up, or the work is nested too deep
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

  /** Returns the size of a value, without that of its members. */
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
