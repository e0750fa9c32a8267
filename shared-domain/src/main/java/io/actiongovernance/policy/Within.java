package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.time.Timestamps;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Times at which a guardrail matches. The condition holds if an entry contains the instant
 * (contract for the policy lab, section 2). Immutable.
 *
 * @param zone time zone of {@code weekly}; null exactly if {@code weekly} is empty
 */
public record Within(@Nullable ZoneId zone, List<Weekly> weekly, List<Between> between) {
  public static final int MAX_WEEKLY = 20;
  public static final int MAX_BETWEEN = 50;
  private static final int MAX_ZONE = 100;
  private static final int MINUTES_OF_DAY = 24 * 60;
  private static final Pattern TIME = Pattern.compile("([01]\\d|2[0-3]):([0-5]\\d)|24:00");

  public Within {
    weekly = List.copyOf(weekly);
    between = List.copyOf(between);
  }

  /**
   * Span of local time on some days of the week. A local time that the zone skips is in no span; a
   * repeated local time is in the span both times.
   *
   * @param from first minute of the day, 0 to 1,439
   * @param to minute at which it ends, exclusive, {@code from} + 1 to 1,440
   */
  public record Weekly(Set<DayOfWeek> days, int from, int to) {
    public Weekly {
      days = Set.copyOf(days);
    }

    private boolean contains(LocalDateTime local) {
      int minute = local.getHour() * 60 + local.getMinute();
      return from <= minute && minute < to && days.contains(local.getDayOfWeek());
    }
  }

  /**
   * Span between two instants.
   *
   * @param until its end, exclusive
   */
  public record Between(Instant from, Instant until) {
    private boolean contains(Instant at) {
      return !at.isBefore(from) && at.isBefore(until);
    }
  }

  static Within read(Fields fields) {
    List<Fields> weekly = fields.listOrNull("weekly", 0, MAX_WEEKLY);
    List<Fields> between = fields.listOrNull("between", 0, MAX_BETWEEN);
    String zone = fields.textOrNull("zone", 1, MAX_ZONE);
    Within within =
        new Within(
            zone == null ? null : zone(fields, zone),
            weekly == null ? List.of() : weekly.stream().map(Within::weekly).toList(),
            between == null ? List.of() : between.stream().map(Within::between).toList());
    if (within.weekly.isEmpty() && within.between.isEmpty()) {
      throw Problem.invalid(
          fields.param("weekly"), "One of weekly and between must have an entry.");
    }
    if (within.weekly.isEmpty() != (zone == null)) {
      throw Problem.invalid(
          fields.param("zone"), fields.param("zone") + " must be given exactly if weekly is.");
    }
    fields.done();
    return within;
  }

  private static ZoneId zone(Fields fields, String name) {
    if (!ZoneId.getAvailableZoneIds().contains(name)) {
      throw Problem.invalid(
          fields.param("zone"),
          fields.param("zone") + " must be the name of an IANA time zone, such as Europe/Berlin.");
    }
    return ZoneId.of(name);
  }

  private static Weekly weekly(Fields fields) {
    List<String> named = fields.texts("days", 1, DayOfWeek.values().length, 3);
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String name : named) {
      Optional<DayOfWeek> day =
          Arrays.stream(DayOfWeek.values()).filter(one -> wire(one).equals(name)).findFirst();
      if (day.isEmpty() || !days.add(day.get())) {
        throw Problem.invalid(
            fields.param("days"),
            fields.param("days") + " must be distinct days: mon, tue, wed, thu, fri, sat, sun.");
      }
    }
    int from = minute(fields, "from");
    int to = minute(fields, "to");
    if (from >= to) {
      throw Problem.invalid(
          fields.param("to"), fields.param("to") + " must be later than from, on the same day.");
    }
    fields.done();
    return new Weekly(days, from, to);
  }

  private static int minute(Fields fields, String name) {
    return fields.choice(name, Within::minute, "a time of day from 00:00 to 24:00, as 09:30");
  }

  private static Optional<Integer> minute(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        matcher.group(1) == null
            ? MINUTES_OF_DAY
            : Integer.parseInt(matcher.group(1)) * 60 + Integer.parseInt(matcher.group(2)));
  }

  private static Between between(Fields fields) {
    String form = "an RFC 3339 timestamp with an offset";
    Instant from = fields.choice("from", Timestamps::parse, form);
    Instant until = fields.choice("until", Timestamps::parse, form);
    if (!from.isBefore(until)) {
      throw Problem.invalid(
          fields.param("until"), fields.param("until") + " must be later than from.");
    }
    fields.done();
    return new Between(from, until);
  }

  private static String wire(DayOfWeek day) {
    return day.name().substring(0, 3).toLowerCase(Locale.ROOT);
  }

  /** Returns the instant as an explanation shows it, with the weekday and time of the zone. */
  ObjectNode local(Instant at) {
    ObjectNode shown = Json.object().put("at", Timestamps.format(at));
    if (zone != null) {
      LocalDateTime local = LocalDateTime.ofInstant(at, zone);
      shown.put("day", wire(local.getDayOfWeek()));
      shown.put("time", local.toLocalTime().truncatedTo(ChronoUnit.MINUTES).toString());
    }
    return shown;
  }

  /** Returns whether an entry contains the instant. */
  public boolean contains(Instant at) {
    if (zone != null) {
      LocalDateTime local = LocalDateTime.ofInstant(at, zone);
      for (Weekly one : weekly) {
        if (one.contains(local)) {
          return true;
        }
      }
    }
    for (Between one : between) {
      if (one.contains(at)) {
        return true;
      }
    }
    return false;
  }
}
