package io.actiongovernance.functions.billing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Metering;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The allowance (contract, section 6). */
@Doc("The month's action allowance.")
record AllowanceView(
    @Field(doc = "Always `allowance`.", constant = "allowance") String object,
    @Field(
            doc = "Start of the month, inclusive: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-01T00:00:00.000Z")
        Instant periodStart,
    @Field(
            doc = "End of the month, exclusive: RFC 3339 in UTC, to the millisecond.",
            example = "2026-12-01T00:00:00.000Z")
        Instant periodEnd,
    @Field(
            doc =
                "Number of executed actions that the month includes, by the terms of the"
                    + " deployment.",
            example = "10000")
        long includedActions,
    @Field(
            doc =
                "Number of actions applied in the period, undos included: the receipts with"
                    + " outcome `applied`.",
            example = "0")
        long usedActions,
    @Field(
            doc = "Number of included actions that are left; 0 if more were used.",
            example = "10000")
        long remainingActions,
    @Field(
            doc =
                "Number of actions a month beyond which requests are 429 `quota_exceeded` and"
                    + " plans wait; null for no cap.",
            example = "100000")
        @Nullable Long hardCap,
    @Field(
            doc =
                "`within`: no more than the included actions are used. `over`: more are used."
                    + " `capped`: the hard cap is used up and nothing more runs.")
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

  /** The JSON of the allowance, which receipts of changes attest. */
  static ObjectNode form(Metering.Month month) {
    return (ObjectNode) Json.tree(of(month));
  }
}
