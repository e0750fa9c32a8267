package io.actiongovernance.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import java.math.BigDecimal;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How fields from outside are read: from both sides of every limit, and every wrong type. */
class FieldsTest {
  private static final String[] TYPES = {"\"text\"", "7", "true", "[]", "{}"};

  private static Fields fields(String json) {
    return new Fields((ObjectNode) Json.read(json), "", true);
  }

  private static Fields field(String value) {
    return fields("{\"f\":" + value + "}");
  }

  private static Fields text(String value) {
    return field(Json.write(value));
  }

  private static void refused(Class<? extends Refusal> kind, String param, ThrowingCallable call) {
    assertThatExceptionOfType(Problem.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.refusal()).isInstanceOf(kind))
        .satisfies(e -> assertThat(e.refusal().path()).isEqualTo(param))
        .withMessageContaining(param);
  }

  private static void invalid(ThrowingCallable call) {
    refused(Refusal.Invalid.class, "f", call);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"f\":null}"})
  void aRequiredFieldThatIsAbsentOrNullIsMissing(String json) {
    List<ThrowingCallable> reads =
        List.of(
            () -> fields(json).text("f", 0, 9),
            () -> fields(json).name("f", 0, 9),
            () -> fields(json).slug("f"),
            () -> fields(json).whole("f", 0, 9),
            () -> fields(json).choice("f", OperatorId::parse, "an operator's id"),
            () -> fields(json).object("f"),
            () -> fields(json).fields("f"),
            () -> fields(json).list("f", 0, 9),
            () -> fields(json).texts("f", 0, 9, 9));
    assertThat(reads).allSatisfy(read -> refused(Refusal.Missing.class, "f", read));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"f\":null}"})
  void anOptionalFieldThatIsAbsentOrNullIsNull(String json) {
    Fields fields = fields(json);
    assertThat(fields.textOrNull("f", 1, 9)).isNull();
    assertThat(fields.nameOrNull("f", 1, 9)).isNull();
    assertThat(fields.slugOrNull("f")).isNull();
    assertThat(fields.wholeOrNull("f", 1, 9)).isNull();
    assertThat(fields.decimalOrNull("f")).isNull();
    assertThat(fields.choiceOrNull("f", OperatorId::parse, "an operator's id")).isNull();
    assertThat(fields.objectOrNull("f")).isNull();
    assertThat(fields.fieldsOrNull("f")).isNull();
    assertThat(fields.listOrNull("f", 1, 9)).isNull();
    assertThat(fields.textsOrNull("f", 1, 9, 9)).isNull();
    assertThat(fields.arrayOrNull("f", 1, 9)).isNull();
    assertThat(fields.value("f")).isNull();
    assertThat(fields.flag("f", true)).isTrue();
    assertThat(fields.flag("f", false)).isFalse();
    assertThat(fields.has("f")).isFalse();
  }

  @Test
  void anUpdateCanTellNullFromAbsent() {
    assertThat(field("null").isNull("f")).isTrue();
    assertThat(fields("{}").isNull("f")).isFalse();
    assertThat(field("1").isNull("f")).isFalse();
    assertThat(field("1").has("f")).isTrue();
  }

  @Test
  void everyOtherTypeIsInvalid() {
    for (String value : TYPES) {
      if (!value.equals("\"text\"")) {
        invalid(() -> field(value).text("f", 0, 99));
        invalid(() -> field(value).name("f", 0, 99));
        invalid(() -> field(value).slug("f"));
        invalid(() -> field(value).choice("f", OperatorId::parse, "an operator's id"));
      }
      if (!value.equals("7")) {
        invalid(() -> field(value).whole("f", 0, 9));
        invalid(() -> field(value).decimalOrNull("f"));
      }
      if (!value.equals("true")) {
        invalid(() -> field(value).flag("f", true));
      }
      if (!value.equals("[]")) {
        invalid(() -> field(value).arrayOrNull("f", 0, 9));
        invalid(() -> field(value).list("f", 0, 9));
        invalid(() -> field(value).texts("f", 0, 9, 9));
      }
      if (!value.equals("{}")) {
        invalid(() -> field(value).object("f"));
        invalid(() -> field(value).fields("f"));
      }
    }
  }

  @Test
  void textIsMeasuredInCharactersNotInUtf16() {
    assertThat(text("😀😀").text("f", 2, 2)).isEqualTo("😀😀");
    assertThat(text("").text("f", 0, 2)).isEmpty();
    invalid(() -> text("").text("f", 1, 2));
    invalid(() -> text("abc").text("f", 1, 2));
    assertThat(text("a\u0000\n\u202e").text("f", 1, 9)).isEqualTo("a\u0000\n\u202e");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0x00, 0x09, 0x0A, 0x1F, 0x7F, 0x85, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202B,
        0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069
      })
  void aNameHoldsNoControlAndNoDirectionChangingCharacters(int point) {
    String name = "a" + Character.toString(point) + "b";
    invalid(() -> text(name).name("f", 1, 9));
    invalid(() -> text(name).nameOrNull("f", 1, 9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Refund desk", "返金", "שלום", "مرحبا", "é😀", "a-b_c.d:e/f", " a "})
  void aNameIsInAnyLanguage(String name) {
    assertThat(text(name).name("f", 1, 20)).isEqualTo(name);
  }

  @Test
  void aNameIsNotBlankUnlessItMayBeEmpty() {
    invalid(() -> text("  ").name("f", 1, 9));
    assertThat(text("").name("f", 0, 9)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "a1b", "refund-desk", "a-1-b"})
  void aSlugIsAccepted(String slug) {
    assertThat(text(slug).slug("f")).isEqualTo(slug);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ab", "1ab", "-abc", "abc-", "a--b", "Abc", "a_b", "a b", "abc\n", "äbc"})
  void textThatIsNoSlugIsInvalid(String slug) {
    invalid(() -> text(slug).slug("f"));
  }

  @Test
  void aSlugHas3To60Characters() {
    assertThat(text("a".repeat(60)).slug("f")).hasSize(60);
    invalid(() -> text("a".repeat(61)).slug("f"));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "10, 10", "1e1, 10", "10.0, 10", "100e-1, 10"})
  void aWholeNumberIsReadInEverySpelling(String number, long whole) {
    assertThat(field(number).whole("f", 1, 10)).isEqualTo(whole);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "11", "-1", "1.5", "1e400", "1e-400", "9223372036854775808", "\"5\""})
  void aNumberThatIsFractionalOrOutOfBoundsIsInvalid(String number) {
    invalid(() -> field(number).whole("f", 1, 10));
  }

  @ParameterizedTest
  @CsvSource({
    "1.50, 1.50",
    "'\"1000.00\"', 1000.00",
    "'\"-0.1\"', -0.1",
    "9007199254740993, 9007199254740993"
  })
  void aDecimalIsANumberOrTheTextOfOneExactly(String value, BigDecimal number) {
    assertThat(field(value).decimalOrNull("f")).isEqualTo(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " 1", "1 ", "1e3", "+1", ".5", "1.", "0x1", "1,000", "NaN", "١"})
  void textThatIsNoDecimalIsInvalid(String value) {
    invalid(() -> text(value).decimalOrNull("f"));
  }

  @Test
  void aDecimalTextHasAtMost100DigitsOnEitherSide() {
    assertThatCode(() -> text("1".repeat(100) + "." + "1".repeat(100)).decimalOrNull("f"))
        .doesNotThrowAnyException();
    invalid(() -> text("1".repeat(101)).decimalOrNull("f"));
    invalid(() -> text("0." + "1".repeat(101)).decimalOrNull("f"));
  }

  @Test
  void aChoiceIsOneOfItsSet() {
    String id = "op_01jd0000000000000000000000";
    assertThat(text(id).choice("f", OperatorId::parse, "an operator's id"))
        .isEqualTo(new OperatorId(id));
    invalid(
        () ->
            text("act_01jd0000000000000000000000")
                .choice("f", OperatorId::parse, "an operator's id"));
  }

  @Test
  void theNumberOfElementsInAnArrayIsBounded() {
    assertThat(field("[{},{}]").list("f", 1, 2)).hasSize(2);
    invalid(() -> field("[]").list("f", 1, 2));
    invalid(() -> field("[{},{},{}]").list("f", 1, 2));
    assertThat(field("[\"a\",\"b\"]").texts("f", 1, 2, 1)).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "null", "\"\"", "\"abc\"", "[]"})
  void aWrongElementIsNamedByItsPosition(String element) {
    refused(
        Refusal.Invalid.class, "f[1]", () -> field("[\"a\"," + element + "]").texts("f", 1, 9, 2));
    refused(Refusal.Invalid.class, "f[1]", () -> field("[{}," + element + "]").list("f", 1, 9));
  }

  @Test
  void fieldsWithinFieldsAreNamedByTheirPath() {
    Fields inner = field("{\"list\":[{},{\"tool\":1}]}").fields("f").list("list", 0, 9).get(1);
    refused(Refusal.Invalid.class, "f.list[1].tool", () -> inner.text("tool", 1, 9));
    refused(Refusal.Missing.class, "f.list[1].args", () -> inner.object("args"));
    assertThat(inner.param("x")).isEqualTo("f.list[1].x");
  }

  @Test
  void aFieldNobodyReadIsUnknown() {
    Fields fields = fields("{\"a\":1,\"b\":2,\"c\":null}");
    assertThat(fields.whole("a", 0, 9)).isEqualTo(1);
    fields.knows("b");
    refused(Refusal.Invalid.class, "c", fields::done);
    fields.knows("c").done();
  }

  @Test
  void theOlderRevisionPassesOverUnknownFields() {
    assertThatCode(() -> new Fields((ObjectNode) Json.read("{\"x\":1}"), "", false).done())
        .doesNotThrowAnyException();
  }
}
