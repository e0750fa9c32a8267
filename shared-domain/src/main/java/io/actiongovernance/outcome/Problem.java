package io.actiongovernance.outcome;

/**
 * What is wrong with a text or a document from outside: in which field, and why. Thrown where it is
 * read, so that a reader ends at the first one; whoever asked for the reading makes it a {@link
 * Refusal}, or says why what is stored cannot be read.
 */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  /** A problem that is no field's. */
  public Problem(Refusal refusal) {
    super(refusal.sentence(), null, false, false);
    this.refusal = refusal;
  }

  /**
   * A field that breaks its rule.
   *
   * @param path the field, as {@code actions[0].tool}
   */
  public static Problem invalid(String path, String sentence) {
    return new Problem(new Refusal.Invalid(path, sentence));
  }

  /** A field that is required and absent. */
  public static Problem missing(String path) {
    return missing(path, "The field " + path + " is required.");
  }

  /** A field that is absent, and required for a reason of its own. */
  public static Problem missing(String path, String sentence) {
    return new Problem(new Refusal.Missing(path, sentence));
  }

  /**
   * The same problem of a part of something larger.
   *
   * @param parent where the part is, as {@code actions[0]}; empty for the whole
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

  /** The refusal of a request that has this problem. */
  public Refusal refusal() {
    return refusal;
  }

  /** For people, as {@link Refusal#sentence()}. */
  public String sentence() {
    return refusal.sentence();
  }
}
