package io.actiongovernance.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What other systems answer is read however freely it is written, and comes out fit to keep. */
class LenientJsonTest {
  private static final String DIGITS = "1234567890".repeat(12);

  private static JsonNode read(String text) {
    return LenientJson.read(text).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':'cut \\ud83d'} | {'a':'cut \uFFFD'}",
        "{'\\udc00':'\\ud83d\\ude00'} | {'\uFFFD':'\uD83D\uDE00'}",
        "{'a':1,'b':2,'a':3} | {'a':3,'b':2}",
        "{'a':1e999} | {'a':'1e999'}",
        "{'a':-1E+401} | {'a':'-1E+401'}",
        "{'a':NaN} | {'a':'NaN'}",
        "\uFEFF[1.50,2,3000000000,20000000000000000000] | [1.50,2,3000000000,20000000000000000000]",
      })
  void jsonThatRequestsMayNotSendIsReadInAStorableForm(String text, String read) {
    JsonNode found = read(text.replace('\'', '"'));
    assertThat(found).isEqualTo(Json.read(read.replace('\'', '"')));
    assertThat(Json.read(Json.write(found))).isEqualTo(found);
  }

  @Test
  void aNumberOfAnyLengthIsTheTextOfItsDigits() {
    assertThat(read("{\"id\":" + DIGITS + "}").path("id").textValue()).isEqualTo(DIGITS);
  }

  @ParameterizedTest
  @ValueSource(ints = {89, 90, 91, 150, 2_000})
  void valuesNestedTooDeepAreReadAsTheirText(int levels) {
    String text = "[".repeat(levels) + "{\"a\": \"\\ud83d\"}" + "]".repeat(levels);
    JsonNode found = read(" " + text + " ");
    int depth = 0;
    while (found.isArray()) {
      found = found.get(0);
      depth++;
    }
    assertThat(depth).isEqualTo(Math.min(levels, LenientJson.MAX_DEPTH));
    assertThat(found.isTextual()).isEqualTo(levels >= LenientJson.MAX_DEPTH);
    if (found.isTextual()) {
      assertThat(found.textValue())
          .isEqualTo(text.substring(depth, text.length() - depth))
          .contains("\"\\ud83d\"");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "{", "{} {}", "nothing", "{'a'}", "<html/>"})
  void textThatIsNoJsonGivesNoValue(String text) {
    assertThat(LenientJson.read(text)).isEmpty();
    assertThat(LenientJson.read("[".repeat(20_000) + "]".repeat(20_000))).isEmpty();
  }

  /** However it is written, what is read can be stored, hashed and shown. */
  @Property(tries = 500)
  void anyTextCanBeStoredAfterReading(@ForAll String text, @ForAll char unit) throws Exception {
    JsonNode found = read(Json.write(Json.object().put(text + unit, unit + text)));
    assertThat(Json.parse(CanonicalJson.of(found).getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(found);
  }
}
