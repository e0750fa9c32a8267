package io.actiongovernance.outcome;

/**
 * Problem with a text or a document from outside: the field, and the reason. It is thrown while
 * reading, so that a reader stops at the first problem. The caller turns it into a {@link Refusal},
 * or reports why stored data cannot be read.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  /** Creates a problem that concerns no field. */
  public Problem(Refusal refusal) {
    super(refusal.sentence(), null, false, false);
    this.refusal = refusal;
  }

  /**
   * Returns the problem of a field that breaks its rule.
   *
   * @param path the field, as {@code actions[0].tool}
   */
  public static Problem invalid(String path, String sentence) {
    return new Problem(new Refusal.Invalid(path, sentence));
  }

  public static Problem missing(String path) {
    return missing(path, "The field " + path + " is required.");
  }

  /** Returns the problem of an absent field that is required for a special reason. */
  public static Problem missing(String path, String sentence) {
    return new Problem(new Refusal.Missing(path, sentence));
  }

  /**
   * Returns this problem as that of a part of a larger document.
   *
   * @param parent position of the part, as {@code actions[0]}; empty for the whole
   */
  public Problem within(String parent) {
    return parent.isEmpty()
        ? this
        : new Problem(
            switch (refusal) {
              case Refusal.Invalid(String path, String sentence) ->
                  new Refusal.Invalid(parent + "." + path, sentence);
              case Refusal.Missing(String path, String sentence) ->
                  new Refusal.Missing(parent + "." + path, sentence);
              default -> refusal;
            });
  }

  public Refusal refusal() {
    return refusal;
  }

  public String sentence() {
    return refusal.sentence();
  }
}
