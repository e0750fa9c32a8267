package io.actiongovernance.localstack.states;

/** That an execution cannot go on, by the error's name in the States Language. */
final class ExecutionFailed extends Exception {
  /** What was wrong with the data; never retried. */
  static final String RUNTIME = "States.Runtime";

  private final String error;

  ExecutionFailed(String error, String cause) {
    super(cause);
    this.error = error;
  }

  String error() {
    return error;
  }
}
