package io.actiongovernance.localstack.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.fixture.Npm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * textlint finds nothing in the pages, nor in the texts of the published document; {@code
 * src/test/npm/textlint.js} has its rules.
 */
@Acceptance
final class TextlintSpec {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path RULES = Path.of("src/test/npm").toAbsolutePath();
  private static final Set<String> TEXTS = Set.of("summary", "description");
  private static final Set<String> DATA = Set.of("example", "examples");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void pagesAndPublishedTextsHavePlainSentences(Given given) throws Exception {
    Set<String> texts = new LinkedHashSet<>();
    gather(given.api().as(null).get("/v1/openapi.json").is(200), texts);
    for (ErrorCode code : ErrorCode.values()) {
      texts.add(code.happened());
      texts.add(code.remedy());
    }
    try (Stream<Path> decisions = Files.list(ROOT.resolve("docs/adr"))) {
      for (Path decision : decisions.toList()) {
        texts.add(Files.readAllLines(decision).getFirst());
      }
    }
    Npm.Said said =
        textlint("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", written(texts));
    assertThat(said.status()).as(said.text()).isZero();
  }

  @Test
  void aLongSentenceAndAWordThatIsNeverRightAreFound() throws Exception {
    String longest = "word ".repeat(29) + "`a name`.";
    Npm.Said said =
        textlint(written(List.of(longest + " It is so.", "Made\nanew", "word " + longest)));
    assertThat(said.status()).as(said.text()).isEqualTo(1);
    assertThat(said.text()).contains("\"anew\" is never right", "31 words: ", "2 problems");
  }

  /** Adds all summaries and descriptions, except those of examples, which are data. */
  private static void gather(JsonNode node, Collection<String> texts) {
    if (node.isArray()) {
      node.forEach(element -> gather(element, texts));
    }
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      JsonNode value = member.getValue();
      if (value.isTextual() && TEXTS.contains(member.getKey())) {
        texts.add(value.asText());
      } else if (!DATA.contains(member.getKey())) {
        gather(value, texts);
      }
    }
  }

  private String written(Collection<String> paragraphs) throws IOException {
    Path file = Files.createTempFile(folder, "texts", ".md");
    Files.writeString(file, String.join("\n\n", paragraphs));
    return file.toString();
  }

  private static Npm.Said textlint(String... files) throws Exception {
    Path program = Npm.file("textlint/bin/textlint.js");
    List<String> command = new ArrayList<>(List.of("node", program.toString(), "--format=unix"));
    command.addAll(List.of("--config", RULES.resolve("textlint.js").toString()));
    command.addAll(List.of("--rulesdir", RULES.resolve("textlint").toString()));
    command.addAll(List.of("--ignore-path", RULES.resolve("textlintignore").toString()));
    command.addAll(
        List.of("--rules-base-directory", program.resolve("../../..").normalize().toString()));
    command.addAll(List.of(files));
    return Npm.run(new ProcessBuilder(command).directory(ROOT.toFile()));
  }
}
