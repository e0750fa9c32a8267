package io.actiongovernance.functions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * No published part changes unnoticed: {@code src/test/surface.txt} lists all of them. Write it
 * again with {@code mvn test -pl functions -am -Dtest=PublishedSurfaceTest -Dsurface=write
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
final class PublishedSurfaceTest {
  private static final Path FILE = Path.of("src/test/surface.txt");

  @Test
  void thePublishedSurfaceIsAsRecorded() throws IOException {
    PublishedSurface surface =
        PublishedSurface.of(
            Json.read(OpenApiHandler.document(URI.create("https://api.example.com"))));
    List<String> now = surface.lines();
    if ("write".equals(System.getProperty("surface"))) {
      Files.write(FILE, now);
    }
    List<String> before = Files.readAllLines(FILE);
    List<String> gone = new ArrayList<>(before);
    gone.removeAll(now);
    List<String> come = new ArrayList<>(now);
    come.removeAll(before);
    assertThat(gone)
        .as("not additive: this was published; in its place there is %s", come)
        .isEmpty();
    assertThat(come.stream().filter(surface::isAsked))
        .as("not additive: requests without it were good")
        .isEmpty();
    assertThat(come).as("additive: write it down").isEmpty();
  }
}
