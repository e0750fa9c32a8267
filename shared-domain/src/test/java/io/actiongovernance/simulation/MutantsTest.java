package io.actiongovernance.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * That the simulation finds what is wrong: each planted bug has a failing seed. The one that {@code
 * mutants.properties} names is tried first; if it does not fail any more, since the kernel asks
 * other things of the world, a failing one is searched for. Those that were found are in {@code
 * target/mutants.properties}, to be copied over it.
 */
class MutantsTest {
  private static final long MOST_RUNS = 100_000;
  private static final Properties KNOWN = new Properties();
  private static final Map<String, Long> FOUND = new TreeMap<>();

  private static KernelLog kernelLog = new KernelLog();

  @BeforeAll
  static void listen() throws IOException {
    try (InputStream known = MutantsTest.class.getResourceAsStream("/mutants.properties")) {
      KNOWN.load(known);
    }
    kernelLog = KernelLog.attached();
  }

  @AfterAll
  static void quiet() throws IOException {
    kernelLog.detach();
    String found =
        FOUND.entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue() + "\n")
            .collect(Collectors.joining());
    Files.writeString(Path.of("target", "mutants.properties"), found);
  }

  @ParameterizedTest
  @EnumSource
  void aPlantedBugIsFound(Mutants bug) {
    Optional<Run> failing =
        Optional.ofNullable(KNOWN.getProperty(bug.name()))
            .flatMap(seed -> Run.firstFailing(Long.parseLong(seed), 1, bug))
            .or(() -> Run.firstFailing(0, MOST_RUNS, bug));
    assertThat(failing).isPresent();
    FOUND.put(bug.name(), failing.get().seed());
  }
}
