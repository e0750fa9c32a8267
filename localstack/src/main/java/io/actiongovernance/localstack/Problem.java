package io.actiongovernance.localstack;

/** What the user of the command can put right. */
final class Problem extends Exception {
  Problem(String message) {
    super(message);
  }
}
