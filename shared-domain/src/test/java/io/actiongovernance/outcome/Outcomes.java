package io.actiongovernance.outcome;

/** Looks into outcomes that a test knows. */
public final class Outcomes {
  private Outcomes() {}

  /** What there is, where it must have been done. */
  public static <T> T done(Outcome<T> outcome) {
    return switch (outcome) {
      case Done<T>(T value) -> value;
      case Refused<T>(Refusal refusal) -> throw new AssertionError("Refused: " + refusal);
    };
  }

  /** Why not, where it must have been refused. */
  public static Refusal refusal(Outcome<?> outcome) {
    if (outcome instanceof Refused<?>(Refusal refusal)) {
      return refusal;
    }
    throw new AssertionError("Not refused: " + outcome);
  }
}
