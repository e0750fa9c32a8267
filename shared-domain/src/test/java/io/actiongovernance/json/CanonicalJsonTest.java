package io.actiongovernance.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalJsonTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "1.0; 1",
        "1.50; 1.5",
        "1e2; 100",
        "100; 100",
        "-0; 0",
        "-0.00; 0",
        "0e5; 0",
        "1e-3; 0.001",
        "-1.20e1; -12",
        "9007199254740993; 9007199254740993",
        "0.1000000000000000055511151231257827; 0.1000000000000000055511151231257827",
        "[ 1 , true , null ]; [1,true,null]",
        "{ }; {}",
        "[]; []"
      })
  void valuesHaveOneForm(String text, String canonical) {
    assertThat(CanonicalJson.of(Json.read(text))).isEqualTo(canonical);
  }

  @Test
  void keysAreInTheOrderOfTheirUtf16() {
    // U+1F600 is written with surrogates, which sort before U+FB33: the example of RFC 8785.
    String text =
        "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}";
    assertThat(CanonicalJson.of(Json.read(text)))
        .isEqualTo("{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}");
  }

  @Test
  void textIsEscapedOnlyWhereItMust() {
    assertThat(
            CanonicalJson.of(
                Json.read("\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\\\/\\u007f\\u00e9\"")))
        .isEqualTo("\"\\u0000\\u001f\\b\\t\\n\\f\\r\\\"\\\\/\u007fé\"");
  }

  @Test
  void theHashIsSha256OfTheUtf8InLowerCaseHex() {
    assertThat(CanonicalJson.sha256(""))
        .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assertThat(CanonicalJson.sha256(Json.read("{\"b\":\"é\",\"a\":1.0}")))
        .isEqualTo(CanonicalJson.sha256("{\"a\":1,\"b\":\"é\"}"));
  }
}
