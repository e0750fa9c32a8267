package io.actiongovernance.localstack.gov;

/** Exit codes of commands (contract for agents, section 5). */
final class ExitCode {
  static final int DONE = 0;

  /** The request was refused or failed, or a check found a fault. */
  static final int REFUSED = 1;

  static final int WRONG_USE = 2;

  /** The request waits for a person, for a halt to end, for a lock or for the allowance. */
  static final int HELD = 3;

  private ExitCode() {}
}
