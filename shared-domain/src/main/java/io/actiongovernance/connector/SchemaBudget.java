package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Supplier;

/**
 * What work with a schema may still cost: one count of steps over compiling it, validating with it
 * and making a sample of it, whatever its references double, however deep it is and however many
 * items it asks for. A step is about what a pattern does at one character, some ten nanoseconds;
 * since every part that is built counts many, the memory is bounded with the time. Used by one
 * thread, for which it is in force while {@link #run} runs.
 */
final class SchemaBudget {
  /** What looking at a value by one keyword costs, besides what is in them. */
  static final int LOOK = 10;

  /** What a part costs that is built and kept: of a compiled schema, of a sample, a complaint. */
  static final int PART = 100;

  /** For one schema, or one validation: 50,000 parts, or half a million looks. */
  static final long STEPS = 5_000_000;

  /** How deep work may be nested: far below what a thread's stack holds. */
  private static final int DEEPEST = 300;

  private static final ScopedValue<SchemaBudget> IN_FORCE = ScopedValue.newInstance();

  private long left;
  private int depth;

  SchemaBudget(long steps) {
    this.left = steps;
  }

  /** The budget is used up. No exception: those the library would log. */
  static final class TooCostly extends Error {
    private static final long serialVersionUID = 1L;

    TooCostly() {
      super("The schema takes too long.", null, false, false);
    }
  }

  /** Does the work under a budget of its own, or, as part of other work, under that one's. */
  static <T> T limited(Supplier<T> work) {
    return IN_FORCE.isBound() ? work.get() : new SchemaBudget(STEPS).run(work);
  }

  /**
   * Does the work under this budget.
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

  /** Does a part of the work one level deeper. */
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

  /** How much there is to look at in a value, without what is in its members. */
  static long size(JsonNode node) {
    return node.isTextual() ? node.textValue().length() / 16 : node.size();
  }

  /** How much there is to look at in a value and all that is in it. */
  static long wholeSize(JsonNode node) {
    long size = 1 + size(node);
    for (JsonNode member : node) {
      size += wholeSize(member);
    }
    return size;
  }
}
