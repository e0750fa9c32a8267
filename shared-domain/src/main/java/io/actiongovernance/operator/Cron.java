package io.actiongovernance.operator;

import static java.time.DayOfWeek.SATURDAY;
import static java.time.DayOfWeek.SUNDAY;
import static java.time.temporal.ChronoField.MINUTE_OF_DAY;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The six fields of a cron expression of EventBridge Scheduler, in UTC: minutes, hours, day of
 * month, month, day of week and year. Details that its documentation leaves open follow Quartz,
 * whose grammar it uses: a range whose end is below its start wraps. Immutable.
 */
final class Cron implements Schedule.Times {
  private static final int MINUTES_OF_HOUR = 60;
  private static final int MINUTES_OF_DAY = 24 * MINUTES_OF_HOUR;

  private static final String VALUE = "(?:[0-9]{1,4}|[A-Z]{3})";
  private static final Pattern VALUES =
      Pattern.compile(
          "(?:\\*|(?<from>VALUE)(?:-(?<to>VALUE))?)?(?:/(?<step>[0-9]{1,4}))?"
              .replace("VALUE", VALUE));
  private static final Pattern BEFORE_LAST_DAY = Pattern.compile("L-([0-9]{1,2})");
  private static final Pattern WEEKDAY_NEAREST = Pattern.compile("([0-9]{1,2})W");
  private static final Pattern LAST_OF_MONTH = Pattern.compile("(" + VALUE + ")L");
  private static final Pattern NTH_OF_MONTH = Pattern.compile("(" + VALUE + ")#([1-5])");

  /** Minutes of a day at which it runs. */
  private final BitSet minutes = new BitSet(MINUTES_OF_DAY);

  private final BitSet months;
  private final BitSet years;
  private final Predicate<LocalDate> days;

  private enum Field {
    MINUTES("minutes", ", - * /", 0, 59),
    HOURS("hours", ", - * /", 0, 23),
    DAY_OF_MONTH("day of month", ", - * ? / L W", 1, 31),
    MONTH(
        "month", ", - * /", 1, 12, "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP",
        "OCT", "NOV", "DEC"),
    DAY_OF_WEEK(
        "day of week", ", - * ? L #", 1, 7, "SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"),
    YEAR("year", ", - * /", 1970, 2199);

    final String title;
    final String wildcards;
    final int lowest;
    final int highest;

    /** Names of its values, from the lowest on. */
    final List<String> names;

    Field(String title, String wildcards, int lowest, int highest, String... names) {
      this.title = title;
      this.wildcards = wildcards;
      this.lowest = lowest;
      this.highest = highest;
      this.names = List.of(names);
    }

    int size() {
      return highest - lowest + 1;
    }
  }

  /**
   * @param text the fields, separated by spaces
   * @throws IllegalArgumentException if it is not a cron expression; the message says what is
   *     wrong, as {@code must …}
   */
  Cron(String text) {
    String[] fields = text.strip().toUpperCase(Locale.ROOT).split(" +");
    if (fields.length != 6) {
      throw new IllegalArgumentException(
          "must have six fields in cron(…): minutes, hours, day of month, month, day of week,"
              + " year");
    }
    BitSet ofHour = values(Field.MINUTES, fields[0]);
    values(Field.HOURS, fields[1]).stream()
        .forEach(
            hour ->
                ofHour.stream().forEach(minute -> minutes.set(hour * MINUTES_OF_HOUR + minute)));
    this.months = values(Field.MONTH, fields[3]);
    this.years = values(Field.YEAR, fields[5]);
    String ofMonth = fields[2];
    String ofWeek = fields[4];
    if (ofMonth.equals("?") == ofWeek.equals("?")) {
      throw new IllegalArgumentException(
          "must have ? as either its day of month or its day of week");
    }
    this.days = ofWeek.equals("?") ? days(ofMonth, Cron::ofMonth) : days(ofWeek, Cron::ofWeek);
  }

  @Override
  public Optional<Instant> next(Instant after) {
    LocalDateTime from = utc(after).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    LocalDate today = from.toLocalDate();
    int soonest = minutes.nextSetBit(from.get(MINUTE_OF_DAY));
    if (soonest >= 0 && runsOn(today)) {
      return Optional.of(at(today, soonest));
    }
    LocalDate end = LocalDate.of(years.length(), 1, 1);
    return Stream.iterate(today.plusDays(1), day -> day.isBefore(end), this::following)
        .filter(this::runsOn)
        .findFirst()
        .map(day -> at(day, minutes.nextSetBit(0)));
  }

  @Override
  public Instant latest(Instant due, Instant now) {
    LocalDate today = utc(now).toLocalDate();
    int last = minutes.previousSetBit(utc(now).get(MINUTE_OF_DAY));
    if (last >= 0 && runsOn(today)) {
      return later(due, at(today, last));
    }
    LocalDate first = utc(due).toLocalDate();
    return Stream.iterate(today.minusDays(1), day -> !day.isBefore(first), day -> day.minusDays(1))
        .filter(this::runsOn)
        .findFirst()
        .map(day -> later(due, at(day, minutes.previousSetBit(MINUTES_OF_DAY))))
        .orElse(due);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private boolean runsOn(LocalDate day) {
    return runsInMonthOf(day) && days.test(day);
  }

  private boolean runsInMonthOf(LocalDate day) {
    return years.get(day.getYear()) && months.get(day.getMonthValue());
  }

  /** Returns the next day, or the first of the next month if the rest of this one is skipped. */
  private LocalDate following(LocalDate day) {
    return runsInMonthOf(day) ? day.plusDays(1) : day.with(TemporalAdjusters.firstDayOfNextMonth());
  }

  private static LocalDateTime utc(Instant instant) {
    return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
  }

  private static Instant at(LocalDate day, int minute) {
    return day.atStartOfDay().plusMinutes(minute).toInstant(ZoneOffset.UTC);
  }

  private static BitSet values(Field field, String list) {
    BitSet all = new BitSet();
    for (String item : items(list)) {
      all.or(valuesOf(field, item));
    }
    return all;
  }

  private static Predicate<LocalDate> days(
      String list, Function<String, Predicate<LocalDate>> reading) {
    List<Predicate<LocalDate>> all = Arrays.stream(items(list)).map(reading).toList();
    return day -> all.stream().anyMatch(one -> one.test(day));
  }

  private static String[] items(String list) {
    return list.split(",", -1);
  }

  private static Predicate<LocalDate> ofMonth(String item) {
    Field field = Field.DAY_OF_MONTH;
    if (item.equals("LW")) {
      return day -> isWeekdayNearest(day, day.lengthOfMonth());
    }
    Matcher weekday = WEEKDAY_NEAREST.matcher(item);
    if (weekday.matches()) {
      int wanted = value(field, item, weekday.group(1));
      return day -> isWeekdayNearest(day, wanted);
    }
    Matcher before = BEFORE_LAST_DAY.matcher(item);
    if (item.equals("L") || before.matches()) {
      int days = item.equals("L") ? 0 : value(field, item, before.group(1));
      return day -> day.getDayOfMonth() == day.lengthOfMonth() - days;
    }
    BitSet values = valuesOf(field, item);
    return day -> values.get(day.getDayOfMonth());
  }

  /** Returns whether the day is the weekday nearest to {@code wanted} in the same month. */
  private static boolean isWeekdayNearest(LocalDate day, int wanted) {
    if (wanted > day.lengthOfMonth()) {
      return false;
    }
    LocalDate near = day.withDayOfMonth(wanted);
    DayOfWeek weekday = near.getDayOfWeek();
    if (weekday == SATURDAY) {
      near = wanted == 1 ? near.plusDays(2) : near.minusDays(1);
    } else if (weekday == SUNDAY) {
      near = wanted == day.lengthOfMonth() ? near.minusDays(2) : near.plusDays(1);
    }
    return near.equals(day);
  }

  private static Predicate<LocalDate> ofWeek(String item) {
    Field field = Field.DAY_OF_WEEK;
    if (item.equals("L")) {
      return day -> day.getDayOfWeek() == SATURDAY;
    }
    Matcher last = LAST_OF_MONTH.matcher(item);
    if (last.matches()) {
      DayOfWeek wanted = dayOfWeek(value(field, item, last.group(1)));
      return day -> day.equals(day.with(TemporalAdjusters.lastInMonth(wanted)));
    }
    Matcher nth = NTH_OF_MONTH.matcher(item);
    if (nth.matches()) {
      DayOfWeek wanted = dayOfWeek(value(field, item, nth.group(1)));
      int number = Integer.parseInt(nth.group(2));
      return day -> day.equals(day.with(TemporalAdjusters.dayOfWeekInMonth(number, wanted)));
    }
    BitSet values = valuesOf(field, item);
    return day -> values.get(day.getDayOfWeek().getValue() % 7 + 1);
  }

  /** Converts a number to a day; Sunday is 1. */
  private static DayOfWeek dayOfWeek(int number) {
    return SATURDAY.plus(number);
  }

  /** Parses {@code *}, {@code 5} or {@code 22-8}, each with or without a step. */
  private static BitSet valuesOf(Field field, String item) {
    Matcher found = VALUES.matcher(item);
    if (item.isEmpty() || !found.matches()) {
      throw problem(field, item);
    }
    String from = found.group("from");
    String to = found.group("to");
    String step = found.group("step");
    int first = from == null ? field.lowest : value(field, item, from);
    int last = field.highest;
    if (to != null) {
      last = value(field, item, to);
    } else if (from != null && step == null) {
      last = first;
    }
    if (last < first && field == Field.YEAR) {
      throw problem(field, item, "a range of years must not end before it starts");
    }
    int every = step == null ? 1 : Integer.parseInt(step);
    if (every < 1 || every > field.size()) {
      throw problem(field, item, "a step must be 1 to " + field.size());
    }
    BitSet values = new BitSet();
    int length = Math.floorMod(last - first, field.size());
    for (int past = 0; past <= length; past += every) {
      values.set(field.lowest + Math.floorMod(first - field.lowest + past, field.size()));
    }
    return values;
  }

  private static int value(Field field, String item, String text) {
    int named = field.names.indexOf(text);
    if (named >= 0) {
      return field.lowest + named;
    }
    if (!Character.isDigit(text.charAt(0))) {
      throw problem(field, item);
    }
    int value = Integer.parseInt(text);
    if (value < field.lowest || value > field.highest) {
      throw problem(field, item);
    }
    return value;
  }

  private static IllegalArgumentException problem(Field field, String item) {
    String names =
        field.names.isEmpty() ? "" : ", " + field.names.getFirst() + " to " + field.names.getLast();
    return problem(
        field,
        item,
        "it takes " + field.lowest + " to " + field.highest + names + " and " + field.wildcards);
  }

  private static IllegalArgumentException problem(Field field, String item, String rule) {
    return new IllegalArgumentException("has \"" + item + "\" as " + field.title + ": " + rule);
  }
}
