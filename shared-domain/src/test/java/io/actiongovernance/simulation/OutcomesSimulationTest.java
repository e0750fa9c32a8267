package io.actiongovernance.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The log of outcomes, simulated beside the kernel: relays that die, come twice, late and out of
 * order, and a reader who resumes. {@code -Dsimulation.outcomes=…} tries more seeds, {@code
 * -Dsimulation.seed=…} one alone.
 */
class OutcomesSimulationTest {
  private static final long RUNS = Boolean.getBoolean("governance.proofs") ? 10_000 : 2_500;

  private static KernelLog kernelLog = new KernelLog();

  @BeforeAll
  static void listen() {
    kernelLog = KernelLog.attached();
  }

  @AfterAll
  static void nothingUnexpectedWasLogged() {
    assertThat(kernelLog.detach()).isEmpty();
  }

  @Test
  void noSeedFindsAMissingRepeatedOrMisorderedOutcome() {
    Long only = Long.getLong("simulation.seed");
    long runs = only == null ? Long.getLong("simulation.outcomes", RUNS) : 1;
    Run.firstFailing(only == null ? Long.getLong("simulation.from", 1) : only, runs, Mutant.TELLING)
        .ifPresent(
            failed -> {
              throw new AssertionError(
                  failed + "\nReplay it alone with -Dsimulation.seed=" + failed.seed());
            });
  }
}
