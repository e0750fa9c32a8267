package io.actiongovernance.kernel;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tenant's use of this month's allowance and changes its cap (contract, section 6).
 * Thread-safe.
 */
public final class Metering {
  /** The allowance belongs to the whole tenant, so a key of a workspace does not find it. */
  private static final Refusal NOT_FOUND = new Refusal.NotFound("allowance");

  private final Allowance allowance;
  private final WakePlans wakePlans;
  private final InstantSource clock;

  public Metering(Allowance allowance, WakePlans wakePlans, InstantSource clock) {
    this.allowance = allowance;
    this.wakePlans = wakePlans;
    this.clock = clock;
  }

  public enum Status {
    /** Use is at most the number of included actions. */
    WITHIN,
    /** Use exceeds the number of included actions, and the cap, if any, is not reached. */
    OVER,
    /** Use has reached the hard cap, so nothing more runs. */
    CAPPED;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Month of a tenant in one mode.
   *
   * @param start the start of the month in UTC, inclusive
   * @param end the end of the month in UTC, exclusive
   * @param used number of actions that applied, including undos
   */
  public record Month(Instant start, Instant end, Allowance.Terms terms, long used) {
    /** Returns the number of included actions that are left. */
    public long remaining() {
      return Math.max(0, terms.includedActions() - used);
    }

    public Status status() {
      Long hardCap = terms.hardCap();
      if (hardCap != null && used >= hardCap) {
        return Status.CAPPED;
      }
      return used > terms.includedActions() ? Status.OVER : Status.WITHIN;
    }
  }

  public Outcome<Month> month(Caller caller) {
    Partition partition = caller.partition();
    return caller.sees(null)
        ? Outcome.done(month(partition, allowance.terms(partition)))
        : Outcome.refused(NOT_FOUND);
  }

  /**
   * Changes the cap, from this month on, and resumes the plans that waited for the allowance.
   *
   * @param hardCap actions a month, or null for no cap
   * @param form the published form of the allowance, whose hash the receipt of the change contains
   * @param request the identifier minted for the request
   */
  public Outcome<Month> cap(
      Caller caller, @Nullable Long hardCap, PublicForm<Month> form, String request) {
    if (!caller.sees(null)) {
      return Outcome.refused(NOT_FOUND);
    }
    Partition partition = caller.partition();
    Allowance.Terms terms =
        allowance.cap(
            partition, hardCap, (before, after) -> receipt(caller, before, after, form, request));
    // Done after a lower cap too: plans that still have no room find that out when they resume.
    wakePlans.waitingOn(partition, WaitingOn.ALLOWANCE);
    return Outcome.done(month(partition, terms));
  }

  private Write receipt(
      Caller caller,
      Allowance.Terms before,
      Allowance.Terms after,
      PublicForm<Month> form,
      String request) {
    Partition partition = caller.partition();
    return new ConfigChange(
            ConfigChange.Target.ALLOWANCE,
            partition.tenant().value(),
            partition,
            null,
            form.of(month(partition, before)),
            form.of(month(partition, after)),
            Set.of())
        .receipt(caller, request, clock.instant())
        .orElseThrow();
  }

  private Month month(Partition partition, Allowance.Terms terms) {
    YearMonth month = YearMonth.from(clock.instant().atZone(ZoneOffset.UTC));
    return new Month(
        month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant(),
        month.plusMonths(1).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant(),
        terms,
        allowance.used(partition));
  }
}
