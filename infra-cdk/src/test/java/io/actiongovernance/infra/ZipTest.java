package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The zip that is deployed; {@code mvn package} and what follows it build it. */
final class ZipTest {
  private static final Path ZIP = Path.of("../functions/target/functions-lambda.zip");
  private static final long MOST_BYTES = 25_000_000;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @BeforeEach
  void isBuilt() {
    assumeTrue(Files.isRegularFile(ZIP), "The zip is built by mvn package or verify.");
  }

  @Test
  void itIsSmall() throws IOException {
    assertThat(Files.size(ZIP)).isLessThan(MOST_BYTES);
  }

  @Test
  void itHoldsEveryHandlerAndAllThatItIsLinkedTo() throws Exception {
    // Lambda runs what is in the zip and the JDK, nothing else: so does this loader.
    try (URLClassLoader zip =
        new URLClassLoader(jars().toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      TreeSet<String> handlers = new TreeSet<>();
      PROD.all("AWS::Lambda::Function").forEach(made -> handlers.add(made.text("/Handler")));
      assertThat(handlers).hasSizeGreaterThan(5);
      for (String handler : handlers) {
        Class<?> loaded = Class.forName(handler, true, zip);
        assertThat(loaded.getConstructor().getDeclaringClass().getClassLoader()).isSameAs(zip);
      }
    }
  }

  @Test
  void nothingInItBindsTheLoggingFacadeTwice() throws IOException {
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      assertThat(zip.stream().map(ZipEntry::getName)).noneMatch(name -> name.contains("log4j"));
    }
  }

  private List<URL> jars() throws IOException {
    List<URL> jars = new ArrayList<>();
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      for (ZipEntry entry : zip.stream().filter(one -> !one.isDirectory()).toList()) {
        Path jar = folder.resolve(Path.of(entry.getName()).getFileName());
        Files.copy(zip.getInputStream(entry), jar);
        jars.add(jar.toUri().toURL());
      }
    }
    return jars;
  }
}
