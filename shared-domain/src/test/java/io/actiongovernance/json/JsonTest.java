package io.actiongovernance.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json.InvalidJson;
import io.actiongovernance.json.Json.NumberOutOfRange;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  private static JsonNode parse(String text) throws InvalidJson, NumberOutOfRange {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"a\":1}}",
        "{\"a\":1} 2",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "[01]",
        "[NaN]",
        "[+1]",
        "[.5]",
        "// comment\n1",
        "\"a\nb\"",
        "nul",
        "\uFEFF{}x"
      })
  void textThatIsNoJsonIsRefused(String text) {
    assertThatExceptionOfType(InvalidJson.class).isThrownBy(() -> parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":1}",
        "[{\"b\":{\"a\":1,\"c\":2,\"a\":3}}]",
        "{\"a\":1,\"\\u0061\":2}"
      })
  void duplicateKeysAreRefused(String text) {
    assertThatExceptionOfType(InvalidJson.class)
        .isThrownBy(() -> parse(text))
        .withMessageContaining("duplicate key");
  }

  @Test
  void aTextMayBe100LevelsDeepAndNoDeeper() {
    assertThatCode(() -> parse("[".repeat(100) + "]".repeat(100))).doesNotThrowAnyException();
    assertThatExceptionOfType(InvalidJson.class)
        .isThrownBy(() -> parse("[".repeat(101) + "]".repeat(101)))
        .withMessageContaining("100 levels");
    assertThatExceptionOfType(InvalidJson.class)
        .isThrownBy(() -> parse("{\"a\":".repeat(100_000)))
        .withMessageContaining("100 levels");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[\"\\ud800\"]", "[\"a\\udc00b\"]", "{\"\\udbff\":1}", "[\"\\ud83d\\ud83d\"]"})
  void halfASurrogatePairIsRefused(String text) {
    assertThatExceptionOfType(InvalidJson.class).isThrownBy(() -> parse(text));
  }

  @Test
  void aWholeSurrogatePairIsText() throws InvalidJson, NumberOutOfRange {
    assertThat(parse("\"\\ud83d\\ude00\"").textValue()).isEqualTo("😀");
  }

  @Test
  void brokenUtf8IsRefused() {
    byte[] overlong = {'"', (byte) 0xC0, (byte) 0x80, '"'};
    byte[] cut = {'"', (byte) 0xE2, (byte) 0x82, '"'};
    byte[] surrogate = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};
    for (byte[] broken : List.of(overlong, cut, surrogate)) {
      assertThatExceptionOfType(InvalidJson.class)
          .isThrownBy(() -> Json.parse(broken))
          .withMessageContaining("UTF-8");
    }
  }

  @Test
  void aNumberHasAtMost100DigitsAndAnExponentOfAtMost400() {
    for (String fits :
        List.of("9".repeat(100), "0." + "1".repeat(99), "1e400", "1E-400", "-1e+0400")) {
      assertThatCode(() -> parse("[" + fits + "]")).as(fits).doesNotThrowAnyException();
    }
    for (String not :
        List.of("9".repeat(101), "0." + "1".repeat(100), "1e401", "1e-401", "1e99999999999")) {
      assertThatExceptionOfType(NumberOutOfRange.class).isThrownBy(() -> parse("[" + not + "]"));
    }
  }

  @Test
  void aNumberOutOfRangeIsNamedByItsPath() {
    assertThatExceptionOfType(NumberOutOfRange.class)
        .isThrownBy(() -> parse("{\"actions\":[{\"tool\":\"a\"},{\"args\":{\"n\":1e999}}]}"))
        .satisfies(e -> assertThat(e.path()).isEqualTo("actions[1].args.n"));
  }

  @ParameterizedTest
  @CsvSource({
    "9007199254740993",
    "0.10",
    "1.50",
    "123456789012345678901234567890.123456789",
    "-0.000000000000000000000000000001"
  })
  void numbersComeBackToTheLastDigit(String number) throws InvalidJson, NumberOutOfRange {
    assertThat(Json.write(parse("[" + number + "]"))).isEqualTo("[" + number + "]");
    assertThat(Json.write(Json.tree(new BigDecimal(number)))).isEqualTo(number);
  }

  @Test
  void keysKeepTheirOrderAndTextIsUnchanged() throws InvalidJson, NumberOutOfRange {
    String text = "{\"z\":\"\\u0000\\u202E\",\"a\":{\"\":null},\"Z\":[true,\"é😀\"]}";
    assertThat(Json.write(parse(text))).isEqualTo(text.replace("\\u202E", "\u202E"));
  }

  private record View(String snakeCase, @Nullable String leftOut, Instant writtenAt) {}

  @Test
  void viewsAreSnakeCaseWithNullsAndMilliseconds() {
    View view = new View("x", null, Instant.parse("2026-11-20T21:44:07Z"));
    assertThat(Json.write(view))
        .isEqualTo(
            "{\"snake_case\":\"x\",\"left_out\":null,\"written_at\":\"2026-11-20T21:44:07.000Z\"}");
    assertThat(Json.read(Json.write(view), View.class)).isEqualTo(view);
  }

  record Renamed(@Stored("holds") List<String> reservedFor, boolean still) {}

  @Test
  void aComponentIsStoredUnderTheNameThatItSays() {
    Renamed value = new Renamed(List.of("a"), true);
    String text = Json.write(value);
    assertThat(text).isEqualTo("{\"holds\":[\"a\"],\"still\":true}");
    assertThat(Json.read(text, Renamed.class)).isEqualTo(value);
    assertThat(Json.write(Json.tree(value))).isEqualTo(text);
  }
}
