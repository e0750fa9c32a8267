package io.actiongovernance.localstack;

/** A problem that the user of the command can fix. */
final class Problem extends Exception {
  Problem(String message) {
    super(message);
  }
}
