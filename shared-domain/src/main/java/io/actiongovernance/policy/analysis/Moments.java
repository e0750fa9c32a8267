package io.actiongovernance.policy.analysis;

import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Within;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Instants that represent all times from now on, as far as guardrails can distinguish them. Results
 * change only at the ends of {@code between} and, in the weeks after each of these, at the ends of
 * {@code weekly}. In those weeks they also change when the zone's offset changes (contract for the
 * policy lab, section 2).
 *
 * @param points one instant for each combination of results, earliest first
 * @param exact whether every combination has its point
 */
record Moments(List<Instant> points, boolean exact) {
  /** Maximum number of instants that are tried. */
  private static final int MOST = 6_000;

  /**
   * Time after which weekly spans meet no new combination until the next end of a {@code between}.
   */
  private static final Duration WEEKS = Duration.ofDays(35);

  /** Returns the moments from an instant on. That instant is the first. */
  static Moments of(Collection<Guardrail> guardrails, Instant now) {
    List<Within> all =
        guardrails.stream()
            .map(one -> one.conditions().within())
            .filter(Objects::nonNull)
            .distinct()
            .toList();
    NavigableSet<Instant> tried = new TreeSet<>(List.of(now));
    for (Within within : all) {
      for (Within.Between one : within.between()) {
        tried.add(later(one.from(), now));
        tried.add(later(one.until(), now));
      }
    }
    Instant done = now;
    for (Instant base : List.copyOf(tried)) {
      Instant until = base.plus(WEEKS);
      for (Within within : all) {
        addChanges(tried, within, later(base, done), until);
      }
      done = until;
      if (tried.size() > MOST) {
        break;
      }
    }
    Map<List<Boolean>, Instant> distinct = new LinkedHashMap<>();
    tried.stream()
        .limit(MOST)
        .forEach(
            at ->
                distinct.putIfAbsent(all.stream().map(within -> within.contains(at)).toList(), at));
    return new Moments(List.copyOf(distinct.values()), tried.size() <= MOST);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** Adds the instants between two others at which the weekly spans may begin or end. */
  private static void addChanges(
      NavigableSet<Instant> to, Within within, Instant from, Instant until) {
    ZoneId zone = within.zone();
    if (zone == null) {
      return;
    }
    List<Instant> changes = new ArrayList<>();
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition transition = rules.nextTransition(from);
    while (transition != null && transition.getInstant().isBefore(until)) {
      changes.add(transition.getInstant());
      transition = rules.nextTransition(transition.getInstant());
    }
    LocalDate last = LocalDate.ofInstant(until, zone);
    for (LocalDate date = LocalDate.ofInstant(from, zone);
        !date.isAfter(last);
        date = date.plusDays(1)) {
      DayOfWeek day = date.getDayOfWeek();
      for (Within.Weekly one : within.weekly()) {
        if (one.days().contains(day)) {
          addInstants(changes, date.atStartOfDay().plusMinutes(one.from()), rules);
          addInstants(changes, date.atStartOfDay().plusMinutes(one.to()), rules);
        }
      }
    }
    changes.stream().filter(at -> !at.isBefore(from) && at.isBefore(until)).forEach(to::add);
  }

  /**
   * Adds every instant of a local time: none if the zone skips that time, two if the zone repeats
   * it.
   */
  private static void addInstants(List<Instant> to, LocalDateTime local, ZoneRules rules) {
    for (ZoneOffset offset : rules.getValidOffsets(local)) {
      to.add(local.toInstant(offset));
    }
  }
}
