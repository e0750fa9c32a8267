package io.actiongovernance.connector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a pattern of a schema means, by ECMA-262 (JSON Schema 2020-12, section 6.4). Whatever engine
 * runs patterns has to pass.
 */
class PatternsTest {
  private static ObjectNode schema(String pattern) {
    ObjectNode schema = Json.object();
    schema.putObject("properties").putObject("text").put("type", "string").put("pattern", pattern);
    return schema;
  }

  private static boolean fits(String pattern, String text) {
    return new InputSchema(schema(pattern)).problem(Json.object().put("text", text)).isEmpty();
  }

  /** A pattern, texts it matches, and texts it does not. */
  static Stream<Arguments> patterns() {
    return Stream.of(
        // The end of the input is its end alone.
        of("^[a-z]+$", list("prod"), list("prod\n", "prod\r", "prod\r\n", "prod\u2028", "\nprod")),
        of("^[a-z]+$", list(), list("prod\u2029", "prod\u0085", "prod\u000b", "prod\f", "a\nb")),
        of("^(a|b$)", list("a\n", "b"), list("b\n")),
        of("a$|b", list("a", "b\n"), list("a\n")),
        of("^$", list(""), list("\n", "\r\n", "\u2028")),
        of("$", list("", "a", "a\n"), list()),
        of("^a{2}$", list("aa"), list("aa\n", "aaa")),
        of("^(?:x(?=\\n))\\n$", list("x\n"), list("x", "x\n\n")),
        of("(?<!\\n)$", list("x"), list("x\n")),
        of("^\\$$", list("$"), list("$\n", "")),
        of("^[$]$", list("$"), list("$\n")),
        of("(?i)^ab$", list("AB"), list("AB\n")),
        // A dot is all but the four line ends.
        of("^.$", list("a", "\u0085", "\u000b", "\f", "😀"), list("\n", "\r", "\u2028", "\u2029")),
        of("^[.]$", list("."), list("a")),
        of("^\\.$", list("."), list("a")),
        // White space is that of ECMA-262.
        of("^\\s$", list(" ", "\t", "\n", "\u000b", "\f", "\r", "\u00a0", "\u1680"), list("a")),
        of(
            "^\\s$",
            list("\u2000", "\u200a", "\u2028", "\u2029", "\u202f", "\u205f"),
            list("\u200b")),
        of("^\\s$", list("\u3000", "\ufeff"), list("\u0085", "\u180e", "\u2060")),
        of("^\\S+$", list("a", "\u0085", "\u200b", "😀"), list("\ufeff", "\u00a0", "a b", "a\n")),
        of("^[\\s]$", list("\ufeff", "\u2003"), list("\u0085", "s")),
        of("^[^\\s]$", list("a", "\u0085"), list("\ufeff", "\n", "\u3000")),
        of("^[\\S]$", list("a"), list("\ufeff")),
        of("^[^\\S]$", list("\ufeff", " "), list("a", "\u0085")),
        of("^[^\\S\\n]$", list(" "), list("a", "\n")),
        of("^[\\s\\S]$", list("a", "\n", "\ufeff", "😀"), list("", "ab")),
        of("^[\\s-x]$", list(" ", "-", "x"), list("a")),
        of("^[a-\\s]$", list("a", "-", " "), list("b")),
        of("^[\\w-.]$", list("a", "-", "."), list("+")),
        // Digits, words and their boundaries are ASCII.
        of("^\\d$", list("7"), list("٧", "७", "x", "７")),
        of("^[^\\d]$", list("٧"), list("7")),
        of("^\\w$", list("a", "Z", "_", "0"), list("é", "ß", "-")),
        of("^\\W$", list("é", "-"), list("a")),
        of("\\bfoo\\b", list("a foo.", "éfoo"), list("afoo")),
        of("^\\Ba", list(), list("a", "ba")),
        // Escapes.
        of("^\\v$", list("\u000b"), list("\n", "\f", "\u0085", "\u2028", "v")),
        of("^[\\v]$", list("\u000b"), list("\n")),
        of("^[\\b]$", list("\b"), list("b")),
        of("^\\cJ$", list("\n"), list("J", "j")),
        of("^\\cj$", list("\n"), list("*")),
        of("^\\0$", list("\u0000"), list("0")),
        of("^[\\0]$", list("\u0000"), list("0")),
        of("^\\x41\\u0042\\u{43}$", list("ABC"), list("abc")),
        of("^\\u{1F600}$", list("😀"), list("u")),
        of("^\\ud83d\\ude00$", list("😀"), list("\u2600")),
        of("^\\t\\n\\r\\f$", list("\t\n\r\f"), list("tnrf")),
        of("^\\/\\-\\_\\@\\ $", list("/-_@ "), list("")),
        // A class has no classes in it.
        of("^[[]$", list("["), list("]")),
        of("^[[a]$", list("[", "a"), list("b")),
        of("^[a-z&&[^b]]$", list("a]", "&]", "[]"), list("c")),
        of("^[&&a]$", list("&", "a"), list("b")),
        of("^[^[]$", list("a"), list("[")),
        of("^[\\]]$", list("]"), list("\\")),
        of("^[]$", list(), list("", "]")),
        of("^[^]$", list("a", "\n", "^"), list("", "ab")),
        of("^[a^]$", list("^", "a"), list("b")),
        // Properties of Unicode.
        of("^\\p{L}$", list("é", "字"), list("1")),
        of("^\\p{Letter}$", list("é"), list("1")),
        of("^\\p{General_Category=Decimal_Number}$", list("٧"), list("a")),
        of("^\\p{Lu}\\P{Lu}$", list("Éa"), list("éa", "ÉA")),
        of("^\\p{Uppercase}$", list("É"), list("é")),
        of("^\\p{Alphabetic}$", list("é"), list("1")),
        of("^\\p{White_Space}$", list("\u0085"), list("\ufeff")),
        of("^\\p{Script=Greek}$", list("α"), list("a")),
        of("^[\\p{L}\\d]$", list("é", "1"), list("-")),
        // Groups.
        of("^(?<a_b>x)\\k<a_b>$", list("xx"), list("x")),
        of("^(x)\\1$", list("xx"), list("x", "xx\n")),
        of("(?<=a)b(?!c)", list("ab", "abd"), list("b", "abc")),
        of("^(?!a)(?!.*b$).", list("x", "bx", "b\n"), list("", "a", "b", "xb")),
        of("^(?=.*\\d)(?=.*[a-z]).{2,}$", list("a1", "1 a"), list("a", "ab", "12", "a1\n")),
        of("(?i)^(?!con$|nul$)[a-z]+$", list("cons"), list("con", "NUL", "c1")),
        // Repetitions.
        of("^[ab]{1500}$", list("a".repeat(1_500)), list("a".repeat(1_499), "a".repeat(1_501))),
        of("^😀{0,2500}$", list("", "😀".repeat(2_500)), list("😀".repeat(2_501))),
        of("^a+?b*?$", list("a", "aab"), list("b")),
        // As the JSON Schema test suite asks.
        of("^a*$", list("aaa", ""), list("abc")),
        of("a+", list("xxaayy"), list("xxyy")),
        of("f.*o", list("foo", "foooooo"), list("bar")),
        of("[0-9]{2,}", list("ab12"), list("1")));
  }

  private static String[] list(String... texts) {
    return texts;
  }

  private static Arguments of(String pattern, String[] matching, String[] others) {
    return Arguments.of(pattern, matching, others);
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void aPatternMatchesAsEcma262Says(String pattern, String[] matching, String[] others) {
    assertThat(Schemas.problem(schema(pattern))).as(pattern).isEmpty();
    assertThat(matching)
        .allSatisfy(text -> assertThat(fits(pattern, text)).as(shown(text)).isTrue());
    assertThat(others)
        .allSatisfy(text -> assertThat(fits(pattern, text)).as(shown(text)).isFalse());
  }

  private static String shown(String text) {
    return Json.write(text) + " " + text.codePoints().mapToObj(Integer::toHexString).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^a\\Z",
        "\\Aa",
        "a\\z",
        "\\Ga",
        "\\Qa\\E",
        "\\h",
        "\\H",
        "\\R",
        "\\X",
        "\\a",
        "\\e",
        "\\N{DASH}",
        "\\i",
        "\\c1",
        "\\07",
        "[\\1]",
        "[\\B]",
        "(?m)^a$",
        "(?s).",
        "(?x) a",
        "(?u)\\w",
        "(?d).",
        "(?P<a>b)",
        "\\b{g}",
        "[a",
        "(",
        "a\\"
      })
  void syntaxUnknownToEcma262IsRefused(String pattern) {
    assertThat(Schemas.problem(schema(pattern)).orElse(""))
        .isEqualTo("The pattern " + pattern + " is not a regular expression of ECMA-262.");
  }

  /** As of a tool that an earlier version took. */
  @Test
  void aStoredSchemaWithARefusedPatternFitsNothing() {
    ObjectNode not = Json.object();
    not.putObject("properties").putObject("text").putObject("not").put("pattern", "^prod\\Z");
    for (ObjectNode schema : new ObjectNode[] {schema("^a\\Z"), not}) {
      assertThat(new InputSchema(schema).problem(Json.object().put("text", "a")).orElse(""))
          .contains("is not a regular expression of ECMA-262");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"patternProperties\":{\"^[a-z]+$\":true},\"additionalProperties\":false}",
        "{\"propertyNames\":{\"pattern\":\"^[a-z]+$\"}}"
      })
  void patternsOfMemberNamesMatchAsEcma262Says(String schema) {
    InputSchema names = new InputSchema((ObjectNode) Json.read(schema));
    assertThat(names.flaw()).isEmpty();
    assertThat(names.problem(Json.object().put("env", 1))).isEmpty();
    for (String end : new String[] {"\n", "\r", "\u2028", "\u0085"}) {
      assertThat(names.problem(Json.object().put("env" + end, 1))).as(shown(end)).isPresent();
    }
  }

  @Test
  void aPatternPropertySchemaAppliesOnlyToMatchingNames() {
    InputSchema schema =
        new InputSchema(
            (ObjectNode) Json.read("{\"patternProperties\":{\"^[a-z]+$\":{\"type\":\"string\"}}}"));
    assertThat(schema.problem(Json.object().put("env", 1))).isPresent();
    assertThat(schema.problem(Json.object().put("env\n", 1))).isEmpty();
  }
}
