package io.actiongovernance.infra.restore;

/** A restore that cannot be done as asked. Its message is one sentence for the operator. */
public final class Refused extends IllegalStateException {
  private static final long serialVersionUID = 1;

  Refused(String sentence) {
    super(sentence);
  }
}
