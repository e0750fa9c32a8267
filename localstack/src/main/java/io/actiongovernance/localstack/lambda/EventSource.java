package io.actiongovernance.localstack.lambda;

/** A source of events that drives a function until it is stopped. */
public interface EventSource {
  /** Stops taking events. Events that are already being handled continue. */
  void stop();

  /** Waits until no events are being handled. */
  void join() throws InterruptedException;
}
