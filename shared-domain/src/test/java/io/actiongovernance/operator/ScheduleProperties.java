package io.actiongovernance.operator;

import static java.util.Calendar.DATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** Cron expressions against a calendar that is walked day by day (contract, section 4). */
final class ScheduleProperties {
  private static final long MINUTE = 60_000;
  private static final long DAY = 1_440 * MINUTE;
  private static final int YEAR_BEFORE = 2023;
  private static final int YEAR_AFTER = 2036;
  private static final Instant FIRST = Instant.parse(YEAR_BEFORE + "-01-01T00:00:00Z");
  private static final Instant END = Instant.parse(YEAR_AFTER + "-01-01T00:00:00Z");
  private static final List<String> DAYS =
      List.of("", "SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  /** A field as it is written, and the values that it stands for. */
  private record Written(String text, Set<Integer> values) {}

  /** A field of days as it is written, and the days of a calendar that it stands for. */
  private record Days(String text, boolean ofWeek, Predicate<Calendar> runsOn) {}

  /** An expression, and what its fields stand for. */
  private record Expression(
      Written minutes, Written hours, Days days, Written months, Written years) {
    Schedule schedule() {
      return new Schedule(toString());
    }

    boolean runsOn(Calendar day) {
      return years.values().contains(day.get(Calendar.YEAR))
          && months.values().contains(day.get(Calendar.MONTH) + 1)
          && days.runsOn().test(day);
    }

    /** Its times on a day, earliest first. */
    List<Instant> timesOn(Calendar day) {
      return runsOn(day)
          ? hours.values().stream()
              .flatMap(hour -> minutes.values().stream().map(minute -> hour * 60L + minute))
              .sorted()
              .map(minute -> day.toInstant().plusMillis(minute * MINUTE))
              .toList()
          : List.of();
    }

    /** The first of its times after an instant, in the years that are walked. */
    Optional<Instant> firstAfter(Instant now) {
      for (Calendar day = dayOf(now); day.get(Calendar.YEAR) < YEAR_AFTER; day.add(DATE, 1)) {
        for (Instant time : timesOn(day)) {
          if (time.isAfter(now)) {
            return Optional.of(time);
          }
        }
      }
      return Optional.empty();
    }

    /** The last of its times until an instant, in the years that are walked. */
    Optional<Instant> lastUntil(Instant now) {
      for (Calendar day = dayOf(now); day.get(Calendar.YEAR) >= YEAR_BEFORE; day.add(DATE, -1)) {
        for (Instant time : timesOn(day).reversed()) {
          if (!time.isAfter(now)) {
            return Optional.of(time);
          }
        }
      }
      return Optional.empty();
    }

    @Override
    public String toString() {
      String ofMonth = days.ofWeek() ? "?" : days.text();
      String ofWeek = days.ofWeek() ? days.text() : "?";
      return Stream.of(minutes.text(), hours.text(), ofMonth, months.text(), ofWeek, years.text())
          .reduce((one, other) -> one + " " + other)
          .map(fields -> "cron(" + fields + ")")
          .orElseThrow();
    }
  }

  private static Calendar dayOf(Instant instant) {
    Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
    calendar.setTimeInMillis(Math.floorDiv(instant.toEpochMilli(), DAY) * DAY);
    return calendar;
  }

  private static int lastDay(Calendar day) {
    return day.getActualMaximum(Calendar.DAY_OF_MONTH);
  }

  /** The weekday with the least distance from a day, both of the month. */
  private static int nearestWeekday(Calendar month, int wanted) {
    Calendar day = (Calendar) month.clone();
    int nearest = Integer.MAX_VALUE;
    for (int number = 1; number <= lastDay(month); number++) {
      day.set(Calendar.DAY_OF_MONTH, number);
      int ofWeek = day.get(Calendar.DAY_OF_WEEK);
      if (ofWeek != Calendar.SATURDAY
          && ofWeek != Calendar.SUNDAY
          && Math.abs(number - wanted) < Math.abs(nearest - wanted)) {
        nearest = number;
      }
    }
    return nearest;
  }

  private static Days ofMonth(String text, Predicate<Calendar> runsOn) {
    return new Days(text, false, runsOn);
  }

  private static Days ofWeek(String text, Predicate<Calendar> runsOn) {
    return new Days(text, true, runsOn);
  }

  private static Days weekdayNearest(int wanted) {
    return ofMonth(
        wanted + "W",
        day ->
            wanted <= lastDay(day)
                && day.get(Calendar.DAY_OF_MONTH) == nearestWeekday(day, wanted));
  }

  private static Days lastOfMonth(int weekday, String name) {
    return ofWeek(
        name + "L",
        day ->
            day.get(Calendar.DAY_OF_WEEK) == weekday
                && day.get(Calendar.DAY_OF_MONTH) + 7 > lastDay(day));
  }

  private static Days nthOfMonth(int weekday, int number) {
    return ofWeek(
        DAYS.get(weekday) + "#" + number,
        day ->
            day.get(Calendar.DAY_OF_WEEK) == weekday
                && day.get(Calendar.DAY_OF_WEEK_IN_MONTH) == number);
  }

  /** All that names days other than by their values. */
  private static List<Days> specialDays() {
    List<Days> all = new ArrayList<>();
    all.add(ofMonth("L", day -> day.get(Calendar.DAY_OF_MONTH) == lastDay(day)));
    all.add(
        ofMonth("LW", day -> day.get(Calendar.DAY_OF_MONTH) == nearestWeekday(day, lastDay(day))));
    all.add(ofWeek("L", day -> day.get(Calendar.DAY_OF_WEEK) == Calendar.SATURDAY));
    for (int number = 1; number <= 31; number++) {
      int before = number;
      all.add(weekdayNearest(number));
      all.add(
          ofMonth("L-" + number, day -> day.get(Calendar.DAY_OF_MONTH) + before == lastDay(day)));
    }
    for (int weekday = Calendar.SUNDAY; weekday <= Calendar.SATURDAY; weekday++) {
      all.add(lastOfMonth(weekday, String.valueOf(weekday)));
      all.add(lastOfMonth(weekday, DAYS.get(weekday)));
      for (int number = 1; number <= 5; number++) {
        all.add(nthOfMonth(weekday, number));
      }
    }
    return all;
  }

  private static Written all() {
    return new Written("*", range(0, 2199));
  }

  private static Set<Integer> range(int from, int to) {
    return IntStream.rangeClosed(from, to).collect(TreeSet::new, Set::add, Set::addAll);
  }

  @Example
  void everySpecialDayMatchesTheCalendar() {
    Written nine = new Written("9", Set.of(9));
    for (Days days : specialDays()) {
      Expression expression = new Expression(nine, nine, days, all(), all());
      Schedule schedule = expression.schedule();
      Instant last = FIRST;
      for (Calendar day = dayOf(FIRST); day.toInstant().isBefore(END); day.add(DATE, 1)) {
        for (Instant time : expression.timesOn(day)) {
          assertThat(schedule.next(last)).as("%s", expression).contains(time);
          last = time;
        }
      }
      assertThat(schedule.latest(FIRST, END)).as("%s", expression).isEqualTo(last);
    }
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void nextAndLatestTimesMatchTheCalendar(
      @ForAll("expressions") Expression expression,
      @ForAll @LongRange(min = 0, max = (YEAR_AFTER - YEAR_BEFORE) * 365L * 1_440) long minutes,
      @ForAll @LongRange(min = 0, max = MINUTE - 1) long millis) {
    Instant now = FIRST.plusMillis(minutes * MINUTE + millis);
    Schedule schedule = expression.schedule();
    assertThat(Schedule.problem(expression.toString())).isEmpty();
    assertThat(schedule.next(now).filter(time -> time.isBefore(END)))
        .isEqualTo(expression.firstAfter(now));
    assertThat(schedule.latest(FIRST, now)).isEqualTo(expression.lastUntil(now).orElse(FIRST));
  }

  @Provide
  Arbitrary<Expression> expressions() {
    return Combinators.combine(
            field(0, 59, List.of()),
            field(0, 23, List.of()),
            days(),
            field(
                1,
                12,
                List.of(
                    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV",
                    "DEC")),
            Arbitraries.oneOf(Arbitraries.just(all()), Arbitraries.just(all()), years()))
        .as(Expression::new);
  }

  private static Arbitrary<Days> days() {
    Arbitrary<Days> ofMonth =
        field(1, 31, List.of())
            .map(
                field ->
                    ofMonth(
                        field.text(),
                        day -> field.values().contains(day.get(Calendar.DAY_OF_MONTH))));
    Arbitrary<Days> ofWeek =
        field(1, 7, DAYS.subList(1, 8))
            .map(
                field ->
                    ofWeek(
                        field.text(),
                        day -> field.values().contains(day.get(Calendar.DAY_OF_WEEK))));
    Arbitrary<Days> listed =
        Combinators.combine(ofMonth, Arbitraries.integers().between(1, 31))
            .as(
                (days, nearest) ->
                    ofMonth(
                        days.text() + "," + nearest + "W",
                        days.runsOn().or(weekdayNearest(nearest).runsOn())));
    return Arbitraries.oneOf(ofMonth, ofWeek, listed, Arbitraries.of(specialDays()));
  }

  /** A list of values, ranges that may wrap, and steps. */
  private static Arbitrary<Written> field(int lowest, int highest, List<String> names) {
    Arbitrary<Integer> values = Arbitraries.integers().between(lowest, highest);
    Arbitrary<Integer> steps = Arbitraries.integers().between(1, highest - lowest + 1);
    Arbitrary<Written> one =
        values.map(value -> new Written(name(value, lowest, names), Set.of(value)));
    Arbitrary<Written> range =
        Combinators.combine(values, values, steps.injectNull(0.5))
            .as(
                (from, to, step) -> {
                  Set<Integer> all = new TreeSet<>();
                  int skip = 0;
                  for (int value = from; ; value = value == highest ? lowest : value + 1) {
                    if (skip == 0) {
                      all.add(value);
                      skip = step == null ? 1 : step;
                    }
                    skip--;
                    if (value == to) {
                      break;
                    }
                  }
                  return new Written(
                      name(from, lowest, names)
                          + "-"
                          + name(to, lowest, names)
                          + (step == null ? "" : "/" + step),
                      all);
                });
    Arbitrary<Written> onward =
        Combinators.combine(values.injectNull(0.5), steps)
            .as(
                (from, step) -> {
                  Set<Integer> all = new TreeSet<>();
                  for (int value = from == null ? lowest : from; value <= highest; value += step) {
                    all.add(value);
                  }
                  return new Written(
                      (from == null ? "*" : name(from, lowest, names)) + "/" + step, all);
                });
    Arbitrary<Written> every = Arbitraries.just(new Written("*", range(lowest, highest)));
    return Arbitraries.oneOf(one, range, onward, every)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(
            items -> {
              Set<Integer> all = new TreeSet<>();
              items.forEach(item -> all.addAll(item.values()));
              return new Written(String.join(",", items.stream().map(Written::text).toList()), all);
            });
  }

  private static String name(int value, int lowest, List<String> names) {
    return names.isEmpty() || value % 2 == 0
        ? String.valueOf(value)
        : names.get(value - lowest).toLowerCase(Locale.ROOT);
  }

  private static Arbitrary<Written> years() {
    Arbitrary<Integer> years = Arbitraries.integers().between(YEAR_BEFORE, YEAR_AFTER);
    return Combinators.combine(years, years)
        .as(
            (one, other) -> {
              int from = Math.min(one, other);
              int to = Math.max(one, other);
              return new Written(from + "-" + to, range(from, to));
            });
  }
}
