package io.actiongovernance.localstack.acceptance.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A build that has a release's number has all that a release has. */
final class ReleaseTest {
  private static final Pattern REVISION =
      Pattern.compile("<revision>(\\d+\\.\\d+\\.\\d+)(-SNAPSHOT)?</revision>");

  @Test
  void aReleaseHasItsChangesAndItsStoredDataAndIsLaterThanTheLast() throws Exception {
    Matcher revision = REVISION.matcher(read("pom.xml"));
    assertThat(revision.find()).isTrue();
    String number = revision.group(1);
    boolean release = revision.group(2) == null;
    String newest =
        read("CHANGELOG.md")
            .lines()
            .filter(line -> line.startsWith("## "))
            .findFirst()
            .orElseThrow();
    Optional<String> last = new History(Stack.PROJECT).last();
    String name = number.replaceFirst("(?<=\\.\\d{1,9})\\.0$", "");
    if (release) {
      assertThat(newest).isEqualTo("## " + number);
      assertThat(last).as("run StoredDataWriterSpec with -Dstored=" + name).contains(name);
    } else {
      assertThat(newest).isEqualTo("## Unreleased");
      assertThat(last)
          .as("the release that %s comes after", number)
          .isNotEqualTo(Optional.of(name));
    }
  }

  private static String read(String file) throws IOException {
    return Files.readString(Stack.PROJECT.resolve(file));
  }
}
