package io.actiongovernance.functions.model;

import io.actiongovernance.proposer.Proposal;

/** Reasons why a model's answer is unusable. */
final class Unfit {
  private static final int LONGEST_QUOTE = 300;

  private Unfit() {}

  static Proposal cutShort() {
    return new Proposal.Unusable("The model's answer was cut short: it reached its token limit.");
  }

  static Proposal refused(String why) {
    return new Proposal.Unusable("The model refused: " + quote(why));
  }

  /** The model wrote text instead of calling the tool. */
  static Proposal talked(String text) {
    return new Proposal.Unusable(
        "The model did not call " + Prompt.TOOL + (text.isBlank() ? "." : ": " + quote(text)));
  }

  /** The model called something else, or more than once. */
  static Proposal otherCalls() {
    return new Proposal.Unusable(
        "The model did not call " + Prompt.TOOL + " exactly once, without other calls.");
  }

  private static String quote(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    int points = line.codePointCount(0, line.length());
    return points <= LONGEST_QUOTE
        ? line
        : line.substring(0, line.offsetByCodePoints(0, LONGEST_QUOTE)) + "…";
  }
}
