package io.actiongovernance.infra.restore;

/**
 * Thrown if a restore cannot be done as requested. Its message is one sentence for the person who
 * runs it.
 */
public final class Refused extends IllegalStateException {
  private static final long serialVersionUID = 1;

  Refused(String sentence) {
    super(sentence);
  }
}
