package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.Within;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A condition on the time in requests. */
@Doc(
    value =
        "Times at which a guardrail matches: it does if any entry contains the instant. At least"
            + " one entry is required.",
    asSent = true)
record WithinForm(
    @Field(
            doc = "IANA name of the time zone of `weekly`; given exactly if `weekly` is.",
            otherwise = "null",
            example = "Europe/Berlin")
        @Nullable String zone,
    @Field(doc = "Spans of local time.", max = Within.MAX_WEEKLY, otherwise = "[]")
        @Nullable List<WeeklyForm> weekly,
    @Field(doc = "Spans between two instants.", max = Within.MAX_BETWEEN, otherwise = "[]")
        @Nullable List<BetweenForm> between) {

  @Doc(
      value =
          "A span of local time on some days of the week. A local time that the zone skips is in"
              + " no span; a repeated one is in it both times.",
      asSent = true)
  record WeeklyForm(
      @Field(
              doc = "Distinct days: `mon`, `tue`, `wed`, `thu`, `fri`, `sat` or `sun`.",
              min = 1,
              max = 7,
              example = "[\"mon\",\"tue\"]")
          List<String> days,
      @Field(
              doc = "Start of the span.",
              published = "^([01][0-9]|2[0-3]):[0-5][0-9]$",
              example = "09:00")
          String from,
      @Field(
              doc = "End of the span, exclusive, at most `24:00`; later than `from`.",
              published = "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$",
              example = "17:00")
          String to) {}

  @Doc(value = "A span between two instants.", asSent = true)
  record BetweenForm(
      @Field(doc = "Start of the span.", example = "2026-12-24T00:00:00Z") Instant from,
      @Field(
              doc = "End of the span, exclusive; later than `from`.",
              example = "2026-12-27T00:00:00Z")
          Instant until) {}
}
