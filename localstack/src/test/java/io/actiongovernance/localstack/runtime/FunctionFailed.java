package io.actiongovernance.localstack.runtime;

/** A function could not be made, failed on an event, or its process ended. */
public final class FunctionFailed extends RuntimeException {
  FunctionFailed(String message) {
    super(message);
  }

  FunctionFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
