package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The zip that is deployed; {@code mvn package} and what follows it build it. */
final class ZipTest {
  private static final Path ZIP = Path.of("../functions/target/functions-lambda.zip");
  private static final String STREAM_RUNTIME =
      "io.actiongovernance.functions.runtime.StreamRuntime";
  private static final long MOST_BYTES = 20_000_000;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @BeforeEach
  void isBuilt() {
    assumeTrue(Files.isRegularFile(ZIP), "The zip is built by mvn package or verify.");
  }

  @Test
  void theZipIsSmall() throws IOException {
    assertThat(Files.size(ZIP)).isLessThan(MOST_BYTES);
  }

  @Test
  void theZipHoldsEveryHandlerWithItsDependencies() throws Exception {
    // Lambda runs what is in the zip and the JDK, nothing else: so does this loader.
    try (URLClassLoader zip =
        new URLClassLoader(jars().toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      TreeSet<String> handlers = new TreeSet<>();
      PROD.all("AWS::Lambda::Function").forEach(made -> handlers.add(made.text("/Handler")));
      // One for each kind of event, one for what is packaged, one for the stream, the canary, and
      // what derives keys.
      assertThat(handlers).hasSize(8);
      for (String handler : handlers) {
        Class<?> loaded = Class.forName(handler, true, zip);
        assertThat(loaded.getClassLoader()).isSameAs(zip);
        if (handler.equals(STREAM_RUNTIME)) {
          assertThat(loaded.getMethod("main", String[].class)).isNotNull();
        } else {
          assertThat(loaded.getConstructor()).isNotNull();
        }
      }
    }
  }

  @Test
  void theZipHoldsTheStreamingRuntime() throws IOException {
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      ZipEntry script = zip.getEntry("stream-runtime");
      String text = new String(zip.getInputStream(script).readAllBytes(), UTF_8);
      assertThat(text).startsWith("#!/bin/sh\n").contains(STREAM_RUNTIME);
    }
    // Lambda runs it as a program.
    assertThat(permissions("stream-runtime")).contains(PosixFilePermission.OTHERS_EXECUTE);
  }

  @SuppressWarnings("unchecked") // the attribute is what its name says
  private static Set<PosixFilePermission> permissions(String entry) throws IOException {
    try (FileSystem zip =
        FileSystems.newFileSystem(ZIP, Map.of("enablePosixFileAttributes", true))) {
      return (Set<PosixFilePermission>) Files.getAttribute(zip.getPath(entry), "posix:permissions");
    }
  }

  @Test
  void theZipHoldsTheLogConfigurationWhereTheLoggerLooks() throws IOException {
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      assertThat(zip.getEntry("logback.xml")).isNotNull();
      ZipEntry script = zip.getEntry("stream-runtime");
      // The managed runtime has the zip's root in its class path; our own has to say so.
      assertThat(new String(zip.getInputStream(script).readAllBytes(), UTF_8))
          .contains("\"/var/task:/var/task/lib/*\"");
    }
  }

  @Test
  void theZipBindsTheLoggingFacadeOnce() throws IOException {
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      assertThat(zip.stream().map(ZipEntry::getName)).noneMatch(name -> name.contains("log4j"));
    }
  }

  private List<URL> jars() throws IOException {
    List<URL> jars = new ArrayList<>();
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      for (ZipEntry entry : zip.stream().filter(one -> one.getName().endsWith(".jar")).toList()) {
        Path jar = folder.resolve(Path.of(entry.getName()).getFileName());
        Files.copy(zip.getInputStream(entry), jar);
        jars.add(jar.toUri().toURL());
      }
    }
    return jars;
  }
}
