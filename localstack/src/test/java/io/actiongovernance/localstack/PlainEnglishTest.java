package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.functions.contract.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of CONTRIBUTING for comments and texts of main code that a test can check. */
final class PlainEnglishTest {
  private static final Path ROOT = Path.of("..");
  private static final Path NEVER_RIGHT = Path.of("src/test/resources/never-right.txt");

  /** A Javadoc that begins so says of what it speaks only later. "One message" names it. */
  private static final Pattern BARE =
      Pattern.compile(
          "/\\*\\*[\\s*]*(What|Whether|Who|How|The same|It|That|One (that|which|who|as|to))\\b[^\\n]*");

  private static final String TEXT = "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"";

  /** A statement that makes an error, with the message; of what is not found it has a noun. */
  private static final Pattern ERROR =
      Pattern.compile(
          "(?:new Refusal\\.(?!NotFound)|new Problem\\(|Problem\\.(?:invalid|missing)\\("
              + "|new ApiE\\w+\\(|RpcError\\.\\w+\\(|Optional\\.of\\(\\s*(?=\"[A-Z])"
              + "|String sentence\\(\\) \\{\\s*return)(?:[^;\"]++|"
              + TEXT
              + ")*+;");

  /** A text, then what follows it if it is the last of its message. */
  private static final Pattern PART =
      Pattern.compile("(" + TEXT + ")(\\s*(?:\\.formatted\\(|[,);]))?");

  /** The last words of a sentence, not a field's name, a separator or the first words. */
  private static final Pattern LAST = Pattern.compile(".*[a-z] .*[^ ]\"");

  /** A name in the form of a class's, unless it is a product's. */
  private static final Pattern CLASS = Pattern.compile("\\b(?!CloudWatch)[A-Z]\\w*[a-z][A-Z]");

  @ParameterizedTest
  @ValueSource(strings = {"shared-domain", "functions", "infra-cdk", "localstack"})
  void aJavadocBeginsWithItsSubject(String module) throws IOException {
    assertThat(found(module, BARE)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared-domain", "functions", "infra-cdk", "localstack"})
  void noTextHasABannedWord(String module) throws IOException {
    String words =
        Files.readAllLines(NEVER_RIGHT).stream()
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    // In a comment or a text: names of code may be short.
    Pattern never =
        Pattern.compile(
            "^(\\s*(/\\*\\*|\\*|//)|[^\\n]*\")[^\\n]*\\b(" + words + ")\\b[^\\n]*",
            Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
    assertThat(found(module, never)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared-domain", "functions", "infra-cdk", "localstack"})
  void anErrorEndsWithAFullStop(String module) throws IOException {
    List<String> ends =
        parts(module)
            .filter(part -> part.group(2) != null)
            .map(part -> part.group(1))
            .filter(text -> LAST.matcher(text).matches())
            .toList();
    assertThat(ends).isNotEmpty().allMatch(text -> text.endsWith(".\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared-domain", "functions", "infra-cdk", "localstack"})
  void anErrorNamesNoClass(String module) throws IOException {
    List<String> texts = parts(module).map(part -> part.group(1)).toList();
    assertThat(texts).isNotEmpty().noneMatch(text -> CLASS.matcher(text).find());
  }

  /** Returns the texts and values that the errors of a module are made of, in order. */
  private static Stream<MatchResult> parts(String module) throws IOException {
    return found(module, ERROR).stream().flatMap(error -> PART.matcher(error).results());
  }

  @Test
  void theTextsOfErrorCodesEndWithAFullStop() {
    assertThat(ErrorCode.values())
        .allMatch(code -> code.happened().endsWith(".") && code.remedy().endsWith("."));
  }

  /** What the pattern finds in the module's main code, with its file. */
  private static List<String> found(String module, Pattern pattern) throws IOException {
    try (Stream<Path> all = Files.walk(ROOT.resolve(module).resolve("src/main"))) {
      List<Path> files = all.filter(file -> file.toString().endsWith(".java")).toList();
      assertThat(files).isNotEmpty();
      return files.stream().flatMap(file -> found(file, pattern)).toList();
    }
  }

  private static Stream<String> found(Path file, Pattern pattern) {
    try {
      return pattern
          .matcher(Files.readString(file))
          .results()
          .map(match -> file.getFileName() + ": " + match.group().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
