package io.actiongovernance.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That the simulation finds what is wrong: each planted bug has a failing seed. */
class MutantsTest {
  private static final long MOST_RUNS = 20_000;

  private static KernelLog kernelLog = new KernelLog();

  @BeforeAll
  static void listen() {
    kernelLog = KernelLog.attached();
  }

  @AfterAll
  static void quiet() {
    kernelLog.detach();
  }

  @ParameterizedTest
  @EnumSource
  void aPlantedBugIsFound(Mutants bug) {
    assertThat(Run.firstFailing(0, MOST_RUNS, bug)).isPresent();
  }
}
