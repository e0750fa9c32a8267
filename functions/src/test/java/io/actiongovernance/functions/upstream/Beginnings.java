package io.actiongovernance.functions.upstream;

import io.actiongovernance.connector.Permit;
import java.util.concurrent.atomic.AtomicInteger;

/** Permits everything, and counts how often a request was about to leave that has the effect. */
final class Beginnings implements Permit {
  final AtomicInteger begun = new AtomicInteger();

  @Override
  public boolean stands() {
    return true;
  }

  @Override
  public boolean begins() {
    begun.incrementAndGet();
    return true;
  }
}
