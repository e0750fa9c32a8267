package io.actiongovernance.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.simulation.Faults.Fault;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The kernel, simulated (docs/internals/simulation.md). {@code -Dgovernance.proofs=true} and {@code
 * -Dsimulation.runs=…} try more seeds, {@code -Dsimulation.from=…} others, {@code
 * -Dsimulation.seed=…} one alone.
 */
class KernelSimulationTest {
  private static final long RUNS = Boolean.getBoolean("governance.proofs") ? 100_000 : 10_000;

  /** A run in which the stream forgets an event. */
  private static final long FORGOTTEN = 21;

  private static KernelLog kernelLog = new KernelLog();

  @BeforeAll
  static void listen() {
    kernelLog = KernelLog.attached();
  }

  @AfterAll
  static void nothingUnexpectedWasLogged() {
    assertThat(kernelLog.detach()).isEmpty();
  }

  /** The client gives up at once, or asks again under the same key. */
  @ParameterizedTest
  @CsvSource({"true,1", "true,3", "false,1", "false,3"})
  void aThreeActionPlanSurvivesAnySingleFault(boolean held, int tries) {
    int calls = Run.ofSingleFault(held, tries, 0, null, true).calls();
    assertThat(calls).isPositive();
    for (int call = 0; call < calls; call++) {
      for (Fault fault : Fault.values()) {
        Run run = Run.ofSingleFault(held, tries, call, fault, true);
        assertThat(run.violations()).as("%s", run).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "3"})
  void anApprovedUndoSurvivesAnySingleFault(int tries) {
    int calls = Run.ofHeldUndo(tries, 0, null).calls();
    assertThat(calls).isPositive();
    for (int call = 0; call < calls; call++) {
      for (Fault fault : Fault.values()) {
        Run run = Run.ofHeldUndo(tries, call, fault);
        assertThat(run.violations()).as("%s", run).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void withoutFaultsNothingWaitsForTheSweeper(boolean held) {
    Run run = Run.ofSingleFault(held, 1, 0, null, false);
    assertThat(run.violations()).as("%s", run).isEmpty();
  }

  @Test
  void noSeedFindsALostOrRepeatedEffect() {
    Long only = Long.getLong("simulation.seed");
    long first = only == null ? Long.getLong("simulation.from", 1) : only;
    long runs = only == null ? Long.getLong("simulation.runs", RUNS) : 1;
    Run.firstFailing(first, runs, Mutant.NONE)
        .ifPresent(
            failed -> {
              throw new AssertionError(
                  failed + "\nReplay it alone with -Dsimulation.seed=" + failed.seed());
            });
  }

  @Test
  void anEventMissingFromTheStreamIsProposedFor() {
    Mutant unseeing = Mutants.EVERY_EVENT_TAKEN_FOR_HANDED_ON;
    assertThat(Run.ofSeed(FORGOTTEN, unseeing).violations())
        .singleElement()
        .asString()
        .contains("nobody proposed for it");
    assertThat(Run.ofSeed(FORGOTTEN, Mutant.NONE).violations()).isEmpty();
  }

  @Test
  void aSeedReplaysTheSameRun() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(Run.ofSeed(seed, Mutant.NONE)).isEqualTo(Run.ofSeed(seed, Mutant.NONE));
    }
  }
}
