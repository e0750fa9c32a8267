package io.actiongovernance.localstack.lambda;

/** Something that drives a function until it is stopped. */
public interface EventSource {
  /** Begins to take no more events. What is being handled goes on. */
  void stop();

  /** Waits until nothing is being handled any more. */
  void join() throws InterruptedException;
}
