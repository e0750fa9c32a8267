package io.actiongovernance.receipt;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Outcome that a receipt records (contract, section 6). Only {@link #APPLIED} is billable. */
public enum ReceiptOutcome {
  APPLIED,
  REFUSED,
  FAILED,
  UNKNOWN,
  DEDUPLICATED,
  SKIPPED,
  VETOED,
  EXPIRED,
  HALTED,
  LIFTED,
  CHANGED,
  VOTED,
  WITHDRAWN;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ReceiptOutcome> parse(String text) {
    return Arrays.stream(values()).filter(outcome -> outcome.wire().equals(text)).findFirst();
  }
}
