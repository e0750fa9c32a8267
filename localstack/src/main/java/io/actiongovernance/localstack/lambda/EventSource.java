package io.actiongovernance.localstack.lambda;

/** A source of events that drives a function until it is stopped. */
public interface EventSource {
  /** Stops taking events. Events that are being handled go on. */
  void stop();

  /** Waits until no event is being handled any more. */
  void join() throws InterruptedException;
}
