package io.actiongovernance.localstack.gov;

/** What a command says by its exit code (contract for agents, section 5). */
final class ExitCode {
  static final int DONE = 0;

  /** It was refused, or failed, or what was to be checked is not so. */
  static final int REFUSED = 1;

  static final int WRONG_USE = 2;

  /** What was asked for waits: for a person, a halt, a lock or the allowance. */
  static final int HELD = 3;

  private ExitCode() {}
}
