package io.actiongovernance.policy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contract for the policy lab, section 2: {@code conditions.within}. */
class WithinTest {
  private static final String SPAN =
      "'from':'2026-11-01T00:00:00Z','until':'2026-12-01T00:00:00+01:00'";

  private static Guardrails set(String within) {
    return Given.guardrails(
        "'name':'g','decision':'ALLOW','tool':'pay.refund','conditions':{'within':{"
            + within
            + "}}");
  }

  private static Within within(String within) {
    return requireNonNull(set(within).list().getFirst().conditions().within());
  }

  private static String weekly(String zone, String days, String from, String to) {
    return "'zone':'%s','weekly':[{'days':[%s],'from':'%s','to':'%s'}]"
        .formatted(zone, days, from, to);
  }

  private static Decision decision(Guardrails set, String at) {
    Candidate action = Given.candidate("pay.refund", 2, "{}", null, "order:1");
    return set.evaluate(Given.at(Instant.parse(at), action)).verdict().decision();
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-23T07:59:59.999Z, false", // a Monday, 08:59:59 in Berlin
    "2026-11-23T08:00:00Z,     true",
    "2026-11-23T15:59:59.999Z, true",
    "2026-11-23T16:00:00Z,     false",
    "2026-11-24T09:00:00Z,     false", // a Tuesday
    "2026-11-29T23:30:00Z,     false", // Monday in Berlin, but at 00:30
    "2026-07-20T07:00:00Z,     true", // 09:00 in summer time
    "2026-07-20T15:00:00Z,     false"
  })
  void aWeeklySpanHoldsFromItsStartUntilJustBeforeItsEnd(String at, boolean holds) {
    assertThat(
            within(weekly("Europe/Berlin", "'mon'", "09:00", "17:00")).contains(Instant.parse(at)))
        .isEqualTo(holds);
  }

  @Test
  void aSpanToMidnightHoldsUntilTheNextDayBegins() {
    Within sunday = within(weekly("America/New_York", "'sun'", "22:00", "24:00"));
    assertThat(sunday.contains(Instant.parse("2026-11-30T04:59:59.999Z"))).isTrue();
    assertThat(sunday.contains(Instant.parse("2026-11-30T05:00:00Z"))).isFalse();
  }

  /** On 2026-03-29 the clock in Berlin goes from 02:00 to 03:00, on 2026-10-25 back to 02:00. */
  @Test
  void aSkippedLocalTimeNeverHoldsAndARepeatedOneHoldsTwice() {
    Within early = within(weekly("Europe/Berlin", "'sun'", "02:00", "03:00"));
    long skipped = minutes(early, "2026-03-28T23:00:00Z");
    long repeated = minutes(early, "2026-10-24T22:00:00Z");
    assertThat(skipped).isZero();
    assertThat(repeated).isEqualTo(120);
  }

  @ParameterizedTest
  @CsvSource({
    // The clock skips 02:00 to 03:00, and repeats 01:00 to 02:00.
    "America/New_York, 02:00, 03:00, 2026-03-08T05:00:00Z, 0",
    "America/New_York, 01:00, 02:00, 2026-11-01T04:00:00Z, 120",
    // Lord Howe changes by half an hour.
    "Australia/Lord_Howe, 02:00, 02:30, 2026-10-03T13:30:00Z, 0",
    "Australia/Lord_Howe, 01:30, 02:00, 2026-04-04T13:00:00Z, 60"
  })
  void eachZoneHasItsOwnChanges(String zone, String from, String to, String day, long minutes) {
    assertThat(minutes(within(weekly(zone, "'sun'", from, to)), day)).isEqualTo(minutes);
  }

  /** Samoa had no 30 December 2011, a Friday. */
  @Test
  void aDayThatAZoneSkippedNeverHolds() {
    Within friday = within(weekly("Pacific/Apia", "'fri'", "00:00", "24:00"));
    assertThat(minutes(friday, "2011-12-29T10:00:00Z")).isZero();
    assertThat(friday.contains(Instant.parse("2011-12-30T09:59:59Z"))).isFalse();
  }

  /** Counts the minutes of a day and two hours that are within it. */
  private static long minutes(Within within, String from) {
    Instant start = Instant.parse(from);
    return IntStream.range(0, 26 * 60)
        .filter(minute -> within.contains(start.plusSeconds(minute * 60L)))
        .count();
  }

  @Test
  void anyEntryThatContainsTheInstantIsEnough() {
    Within both =
        within(
            weekly("UTC", "'mon','tue'", "09:00", "10:00")
                + ",'between':[{'from':'2026-11-25T00:00:00Z','until':'2026-11-26T00:00:00Z'}]");
    assertThat(both.contains(Instant.parse("2026-11-24T09:30:00Z"))).isTrue();
    assertThat(both.contains(Instant.parse("2026-11-25T23:59:59.999Z"))).isTrue();
    assertThat(both.contains(Instant.parse("2026-11-26T00:00:00Z"))).isFalse();
  }

  @Test
  void aGuardrailMatchesOnlyWithinItsTimes() {
    Guardrails open = set("'between':[{" + SPAN + "}]");
    assertThat(decision(open, "2026-11-30T22:59:59Z")).isEqualTo(Decision.ALLOW);
    assertThat(decision(open, "2026-11-30T23:00:00Z")).isEqualTo(Decision.BLOCK);
    assertThat(open.isTimed()).isTrue();
  }

  @Test
  void theStoredFormShowsItOnlyIfItWasSent() {
    JsonNode with = set("'between':[{" + SPAN + "}]").json().at("/0/conditions/within");
    assertThat(with).isEqualTo(Given.json("{'zone':null,'weekly':[],'between':[{" + SPAN + "}]}"));
    Guardrails without =
        Given.guardrails("'name':'g','decision':'ALLOW','tool':'a.b','conditions':{'within':null}");
    assertThat(without.json().at("/0/conditions").has("within")).isFalse();
    assertThat(without.isTimed()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'weekly':[] | weekly",
        "'zone':'UTC' | weekly",
        "'between':[{'from':'2026-11-01T00:00:00Z','until':'2026-11-01T00:00:00Z'}] | between[0].until",
        "'between':[{'from':'2026-11-01','until':'2026-11-02T00:00:00Z'}] | between[0].from",
        "'zone':'UTC','between':[{'from':'2026-11-01T00:00:00Z','until':'2026-11-02T00:00:00Z'}] | zone",
        "'weekly':[{'days':['mon'],'from':'09:00','to':'17:00'}] | zone",
        "'zone':'UTC','weekly':[{'days':[],'from':'09:00','to':'17:00'}] | weekly[0].days",
        "'zone':'UTC','weekly':[{'days':['mon','mon'],'from':'09:00','to':'17:00'}] | weekly[0].days",
        "'zone':'UTC','weekly':[{'days':['day'],'from':'09:00','to':'17:00'}] | weekly[0].days",
        "'zone':'UTC','weekly':[{'days':['mon'],'from':'17:00','to':'09:00'}] | weekly[0].to",
        "'zone':'UTC','weekly':[{'days':['mon'],'from':'9:00','to':'17:00'}] | weekly[0].from",
        "'zone':'UTC','weekly':[{'days':['mon'],'from':'09:00','to':'24:01'}] | weekly[0].to",
        "'zone':'UTC','weekly':[{'days':['mon'],'from':'24:00','to':'24:00'}] | weekly[0].to",
        "'zone':'+01:00','weekly':[{'days':['mon'],'from':'09:00','to':'17:00'}] | zone",
        "'zone':'Berlin','weekly':[{'days':['mon'],'from':'09:00','to':'17:00'}] | zone"
      })
  void whatBreaksARuleIsRefusedByName(String within, String path) {
    String sent = within.strip();
    assertThatThrownBy(() -> set(sent))
        .asInstanceOf(InstanceOfAssertFactories.type(Problem.class))
        .extracting(problem -> problem.refusal().path())
        .isEqualTo("guardrails[0].conditions.within." + path.strip());
  }

  @Test
  void moreThanTheMostEntriesAreRefused() {
    String weekly = "{'days':['mon'],'from':'09:00','to':'17:00'}";
    String zoned = "'zone':'UTC','weekly':[";
    assertThat(within(zoned + times(20, weekly) + "]").weekly()).hasSize(20);
    assertThatThrownBy(() -> set(zoned + times(21, weekly) + "]")).isInstanceOf(Problem.class);
    String between = "'between':[";
    assertThat(within(between + times(50, "{" + SPAN + "}") + "]").between()).hasSize(50);
    assertThatThrownBy(() -> set(between + times(51, "{" + SPAN + "}") + "]"))
        .isInstanceOf(Problem.class);
  }

  private static String times(int count, String each) {
    return IntStream.range(0, count).mapToObj(at -> each).collect(Collectors.joining(","));
  }

  /** A later build may know more zones than this one; it must not guess what it does not know. */
  @Test
  void aStoredZoneThatTheBuildDoesNotKnowMakesTheSetUnreadable() {
    JsonNode stored = set(weekly("Europe/Berlin", "'mon'", "09:00", "17:00")).json();
    String unknown = stored.toString().replace("Europe/Berlin", "Europe/Atlantis");
    assertThatThrownBy(() -> Guardrails.of(Json.read(unknown)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
