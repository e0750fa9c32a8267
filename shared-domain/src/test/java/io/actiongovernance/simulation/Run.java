package io.actiongovernance.simulation;

import io.actiongovernance.simulation.Faults.Fault;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One run of the simulation, and what it found. */
record Run(long seed, String what, int calls, List<String> violations) {
  private static final Instant MONTH_ENDS = Instant.parse("2026-09-30T23:59:58Z");
  private static final List<Tenancy> TENANCIES =
      List.of(
          Tenancy.of(null, null, 1),
          Tenancy.of(null, 2L, 1),
          Tenancy.of(3L, null, 1),
          Tenancy.of(3L, 2L, 4));

  /** All that the seed says: who asks for what, what goes wrong, and who has his turn when. */
  static Run ofSeed(long seed, Mutant mutant) {
    SplittableRandom random = new SplittableRandom(seed);
    Tenancy tenancy = TENANCIES.get(random.nextInt(TENANCIES.size()));
    int count = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(3);
    Faults faults = Faults.of(random.split(), count, 20 + random.nextInt(130));
    Instant start =
        random.nextInt(8) == 0 ? MONTH_ENDS : tenancy.madeAt.plus(Duration.ofMinutes(1));
    double switching = List.of(0.0, 0.05, 0.2, 0.5).get(random.nextInt(4));
    World world = new World(tenancy, random, faults, start, switching, mutant);
    world.failing = random.nextInt(3) == 0 ? 0.4 : 0;
    world.losing = random.nextInt(6) == 0 ? 0.3 : 0;
    world.erring = random.nextInt(6) == 0 ? 0.3 : 0;
    world.pacing = random.nextInt(4) == 0 ? 0.4 : 0;
    world.repeating = random.nextInt(3) == 0 ? 0.4 : 0;
    world.tearing = random.nextInt(3) == 0 ? 0.2 : 0;
    world.slow = random.nextInt(4) == 0 ? 0.4 : 0;
    Scenario scenario = new Scenario(world);
    scenario.random();
    SplittableRandom windows = new SplittableRandom(~seed);
    if (windows.nextInt(8) == 0) {
      scenario.closeWindow(windows);
    }
    return mutant.concerns(world, scenario)
        ? finished(seed, "faults " + faults, world, scenario)
        : new Run(seed, "left out", 0, List.of());
  }

  /** A three-action plan, in which one call goes wrong. */
  static Run ofSingleFault(
      boolean held, int tries, int call, @Nullable Fault fault, boolean sweeping) {
    SplittableRandom random = new SplittableRandom(1);
    Tenancy tenancy = TENANCIES.getFirst();
    Faults faults = fault == null ? Faults.none() : Faults.single(call, fault);
    Instant start = tenancy.madeAt.plus(Duration.ofMinutes(1));
    World world = new World(tenancy, random, faults, start, 0, Mutant.NONE);
    world.sweeping = sweeping;
    Scenario scenario = new Scenario(world);
    scenario.threeActions(held, tries);
    String what = (held ? "held, " : "unheld, ") + fault + " at call " + call;
    return finished(1, what, world, scenario);
  }

  /** An undo that takes an approval, in which one call goes wrong. */
  static Run ofHeldUndo(int tries, int call, @Nullable Fault fault) {
    Tenancy tenancy = TENANCIES.getFirst();
    Faults faults = fault == null ? Faults.none() : Faults.single(call, fault);
    Instant start = tenancy.madeAt.plus(Duration.ofMinutes(1));
    World world = new World(tenancy, new SplittableRandom(1), faults, start, 0, Mutant.NONE);
    Scenario scenario = new Scenario(world);
    scenario.heldUndo(tries);
    return finished(1, "a held undo, " + fault + " at call " + call, world, scenario);
  }

  static YearMonth month(Instant instant) {
    return YearMonth.from(instant.atZone(ZoneOffset.UTC));
  }

  private static Run finished(long seed, String what, World world, Scenario scenario) {
    world.run();
    List<String> violations = Invariants.violated(world, scenario);
    return new Run(seed, what, world.faults.calls(), violations);
  }

  /** Tries the seeds from the first on until one fails, so many at once as there are processors. */
  static Optional<Run> firstFailing(long first, long runs, Mutant mutant) {
    AtomicLong next = new AtomicLong(first);
    ConcurrentLinkedQueue<Run> failed = new ConcurrentLinkedQueue<>();
    List<Callable<@Nullable Void>> lanes = new ArrayList<>();
    for (int lane = 0; lane < Runtime.getRuntime().availableProcessors(); lane++) {
      lanes.add(
          () -> {
            long seed = next.getAndIncrement();
            while (failed.isEmpty() && seed < first + runs) {
              Run run = orItsEnd(seed, mutant);
              if (run.failed()) {
                failed.add(run);
              }
              seed = next.getAndIncrement();
            }
            return null;
          });
    }
    simulate(lanes);
    return failed.stream().min(Comparator.comparingLong(Run::seed));
  }

  /** A run that ends otherwise than it should has failed too. */
  private static Run orItsEnd(long seed, Mutant mutant) {
    try {
      return ofSeed(seed, mutant);
    } catch (RuntimeException | AssertionError e) {
      return new Run(seed, "ended", 0, List.of(e.toString()));
    }
  }

  private static void simulate(List<Callable<@Nullable Void>> lanes) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<@Nullable Void> lane : threads.invokeAll(lanes)) {
        lane.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while simulating.", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("The simulation itself broke.", e.getCause());
    }
  }

  boolean failed() {
    return !violations.isEmpty();
  }

  @Override
  public String toString() {
    return "seed " + seed + ", " + what + ":\n  " + String.join("\n  ", violations);
  }
}
