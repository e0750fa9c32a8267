package io.actiongovernance.functions.billing;

import io.actiongovernance.kernel.Metering;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The allowance (contract, section 6). */
record AllowanceView(
    String object,
    Instant periodStart,
    Instant periodEnd,
    long includedActions,
    long usedActions,
    long remainingActions,
    @Nullable Long hardCap,
    Metering.Status status) {
  static AllowanceView of(Metering.Month month) {
    return new AllowanceView(
        "allowance",
        month.start(),
        month.end(),
        month.terms().includedActions(),
        month.used(),
        month.remaining(),
        month.terms().hardCap(),
        month.status());
  }
}
