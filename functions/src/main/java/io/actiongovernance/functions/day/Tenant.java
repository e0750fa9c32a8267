package io.actiongovernance.functions.day;

import java.util.function.BooleanSupplier;

/** The tenant whose day it is, by way of the service. */
public interface Tenant {
  /**
   * Makes the request under an Idempotency-Key that no other has, and fails unless it is answered
   * with success.
   *
   * @return the body of the answer
   */
  String answer(GoodRequest request);

  /** Waits until what goes on by itself has come to this, and fails unless it does. */
  void await(BooleanSupplier condition);
}
