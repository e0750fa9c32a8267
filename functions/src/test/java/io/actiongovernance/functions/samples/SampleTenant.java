package io.actiongovernance.functions.samples;

import java.util.function.BooleanSupplier;

/** The tenant that sample requests are made for, by way of the service. */
public interface SampleTenant {
  /**
   * Makes the request under an Idempotency-Key that no other has, and fails unless it is answered
   * with success.
   *
   * @return the body of the answer
   */
  String answer(SampleRequest request);

  /** Waits until what goes on by itself has come to this, and fails unless it does. */
  void await(BooleanSupplier condition);
}
