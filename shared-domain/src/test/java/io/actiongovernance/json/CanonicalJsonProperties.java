package io.actiongovernance.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json.InvalidJson;
import io.actiongovernance.json.Json.NumberOutOfRange;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;

@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
class CanonicalJsonProperties {
  /** Any text but half a surrogate pair, which no JSON of ours holds. */
  private static Arbitrary<String> texts() {
    return Arbitraries.strings()
        .ofMaxLength(6)
        .filter(text -> text.codePoints().noneMatch(point -> point >= 0xD800 && point <= 0xDFFF));
  }

  private static Arbitrary<BigDecimal> numbers() {
    return Combinators.combine(
            Arbitraries.longs().between(-10_000, 10_000), Arbitraries.integers().between(-30, 30))
        .as(BigDecimal::valueOf);
  }

  @Provide
  static Arbitrary<JsonNode> values() {
    return values(3);
  }

  private static Arbitrary<JsonNode> values(int depth) {
    Arbitrary<JsonNode> leaves =
        Arbitraries.oneOf(
            texts().map(TextNode::valueOf),
            numbers().map(DecimalNode::valueOf),
            Arbitraries.of(true, false).map(BooleanNode::valueOf),
            Arbitraries.just(NullNode.instance));
    if (depth == 0) {
      return leaves;
    }
    Arbitrary<JsonNode> arrays =
        values(depth - 1)
            .list()
            .ofMaxSize(3)
            .map(elements -> Json.object().arrayNode().addAll(elements));
    Arbitrary<JsonNode> objects =
        Arbitraries.maps(texts(), values(depth - 1))
            .ofMaxSize(4)
            .map(fields -> Json.object().setAll(fields));
    return Arbitraries.oneOf(leaves, arrays, objects);
  }

  private static JsonNode parse(String text) throws InvalidJson, NumberOutOfRange {
    return Json.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  @Property
  void theCanonicalFormKeepsTheValueAndIsStable(@ForAll("values") JsonNode value)
      throws InvalidJson, NumberOutOfRange {
    String canonical = CanonicalJson.of(value);
    JsonNode again = parse(canonical);
    assertThat(same(again, value)).isTrue();
    assertThat(CanonicalJson.of(again)).isEqualTo(canonical);
  }

  @Property
  void writtenJsonReadsBackAsTheSameValue(@ForAll("values") JsonNode value)
      throws InvalidJson, NumberOutOfRange {
    assertThat(CanonicalJson.of(parse(Json.write(value)))).isEqualTo(CanonicalJson.of(value));
  }

  @Property
  void onlyEqualValuesShareACanonicalForm(
      @ForAll("values") JsonNode one, @ForAll("values") JsonNode other) {
    assertThat(CanonicalJson.of(one).equals(CanonicalJson.of(other))).isEqualTo(same(one, other));
  }

  @Property
  void theOrderOfKeysDoesNotMatter(@ForAll("values") JsonNode value, @ForAll long seed) {
    assertThat(CanonicalJson.of(shuffled(value, new Random(seed))))
        .isEqualTo(CanonicalJson.of(value));
  }

  private static boolean same(JsonNode one, JsonNode other) {
    return one.equals(
        (a, b) ->
            a.isNumber() && b.isNumber()
                ? a.decimalValue().compareTo(b.decimalValue())
                : a.equals(b) ? 0 : 1,
        other);
  }

  private static JsonNode shuffled(JsonNode value, Random random) {
    return switch (value) {
      case ObjectNode object -> {
        List<Map.Entry<String, JsonNode>> fields = new ArrayList<>(object.properties());
        Collections.shuffle(fields, random);
        ObjectNode mixed = Json.object();
        fields.forEach(field -> mixed.set(field.getKey(), shuffled(field.getValue(), random)));
        yield mixed;
      }
      case ArrayNode array -> {
        ArrayNode mixed = array.arrayNode();
        array.forEach(element -> mixed.add(shuffled(element, random)));
        yield mixed;
      }
      default -> value;
    };
  }
}
