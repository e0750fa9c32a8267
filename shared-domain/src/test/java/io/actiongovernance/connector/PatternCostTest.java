package io.actiongovernance.connector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns that spin without a look at their text, and those that people write. */
@Timeout(20)
class PatternCostTest {
  private static final int LONGEST = 200_000;

  private static ObjectNode schema(String pattern) {
    ObjectNode schema = Json.object();
    schema.putObject("properties").putObject("a").put("type", "string").put("pattern", pattern);
    return schema;
  }

  private static boolean isTaken(String pattern, String text) {
    return Schemas.problem(schema(pattern)).isEmpty()
        && new InputSchema(schema(pattern)).problem(Json.object().put("a", text)).isEmpty();
  }

  static Stream<String> spinning() {
    return Stream.of(
        "(?:|)".repeat(40) + "(?!)",
        "(|)".repeat(40) + "$^",
        "x?".repeat(40) + "(?!)",
        "(?:(?=x|)|(?=y|))".repeat(40) + "(?!)",
        "(?:|)".repeat(40) + "x",
        "[(?:|)]" + "(?:|)".repeat(40) + "\\b{g}(?!)",
        "\\Q(\\E" + "(?:|)".repeat(40) + "(?!)",
        "(?:(?:|)(?:|)){20}(?!)",
        "(?:){1000000000}(?!)",
        "(?:(?:){100000}){100000}x",
        "(?<name>){100000}(?<=(?!)x{0,100000})",
        "(?x) (?: # )\n|)");
  }

  @ParameterizedTest
  @MethodSource("spinning")
  void aPatternThatSpinsWithoutReadingTextIsRefused(String pattern) {
    assertThat(isTaken(pattern, "y".repeat(LONGEST))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
        "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})?$",
        "^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\\?([^#]*))?(#(.*))?$",
        "^-?P(\\d+Y)?(\\d+M)?(\\d+D)?(T(\\d+H)?(\\d+M)?(\\d+(\\.\\d+)?S)?)?$",
        "^(a{1,64}b?){1,1000}$",
        "(?i)^[a-z_][a-z0-9_]{0,62}$",
        "\\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\\b",
        "^[^\\]\\[(|)]*+$",
        "^[\\s\\S]{1,100000}$",
        "^(\\p{Extended_Pictographic}|\\p{Emoji_Component})+$",
        "^arn:[a-z-]*:[^:]{1,63}:[a-z0-9-]{0,63}:[0-9]{12}:.{1,1024}$",
        "^(\\p{L}|\\x{20}|\\d)*$"
      })
  void aRealWorldPatternIsAccepted(String pattern) {
    assertThat(Schemas.problem(schema(pattern))).isEmpty();
    ObjectNode args = Json.object().put("a", "y".repeat(500));
    assertThat(new InputSchema(schema(pattern)).problem(args).orElse(""))
        .doesNotContain("too long");
  }

  @Test
  void anAlternationThatReadsTextIsCheapWithinTheText() {
    String many = "^(?:" + "abc|".repeat(3_000) + "x)$";
    assertThat(PatternCost.within(many)).isLessThan(10);
    assertThat(PatternCost.atEnd(many)).isBetween(3_000L, 4_000L);
  }

  /** Whatever is written: a text is told from the pattern, or refused, in no time. */
  @Test
  void everyPatternEndsQuickly() {
    Random random = new Random(18);
    String[] pieces = {
      "(", "(?:", "(?=", "(?!", "(?<=", ")", "|", "|)", "?", "*", "+", "{9}", "{3,}", "a", "^", "$",
      "[a", "[^", "]", "&&", "\\", "\\b", "\\Q", "\\E", "(?i)", ".", "\\1"
    };
    int compiled = 0;
    for (int each = 0; each < 60_000; each++) {
      StringBuilder pattern = new StringBuilder();
      for (int piece = random.nextInt(24); piece >= 0; piece--) {
        pattern.append(pieces[random.nextInt(pieces.length)]);
      }
      String regex = pattern.toString();
      try {
        Pattern.compile(regex);
      } catch (PatternSyntaxException e) {
        continue;
      }
      compiled++;
      long from = System.nanoTime();
      isTaken(regex, "a".repeat(300));
      assertThat(System.nanoTime() - from).as(regex).isLessThan(5_000_000_000L);
    }
    assertThat(compiled).isGreaterThan(1_000);
  }
}
