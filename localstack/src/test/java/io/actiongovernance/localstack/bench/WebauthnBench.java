package io.actiongovernance.localstack.bench;

import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.fixture.Folders;
import io.actiongovernance.localstack.runtime.DeployedFunctions;
import io.actiongovernance.localstack.runtime.DeployedService;
import io.actiongovernance.localstack.runtime.DeployedZip;
import io.actiongovernance.localstack.runtime.FunctionProcess;
import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What the library that judges passkeys costs functions that judge none: each started out of the
 * zip as it is, and out of one without it, in turn. {@code -Dgovernance.bench.starts} of each. A
 * function that needed a class of it would not start out of the second.
 */
final class WebauthnBench {
  private static final int STARTS = Integer.getInteger("governance.bench.starts", 9);

  /** The library, and what nothing else uses. */
  private static final String LIBRARY = "lib/(webauthn4j-|jackson-dataformat-cbor-).*";

  private static final String READ = PlanRoutes.RETRIEVE_PLAN.operation();
  private static final String EXECUTE = Trigger.EXECUTE_ACTION.binding().function();

  private final Loop loop;
  private final DeployedFunctions functions;
  private final DeployedZip without;
  private final String plan;
  private int entities;

  private WebauthnBench(Loop loop, DeployedFunctions functions, DeployedZip without)
      throws Exception {
    this.loop = loop;
    this.functions = functions;
    this.without = without;
    this.plan = loop.awaitPlan(loop.ingestHeld("read", "note"), "proposed");
  }

  /** In milliseconds. */
  private record Measured(
      List<Double> ready, List<Double> readyProcessor, List<Double> first, List<Double> processor) {
    Measured() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  static List<Figures> run() throws Exception {
    Path folder = Files.createTempDirectory("bench-webauthn");
    DeployedZip zip = DeployedZip.unpack(folder.resolve("task"), _ -> true);
    DeployedZip without =
        DeployedZip.unpack(folder.resolve("without"), entry -> !entry.matches(LIBRARY));
    Path logs = Files.createDirectories(folder.resolve("log"));
    List<DeployedFunctions> made = new ArrayList<>();
    DeployedService.Functions once =
        wiring -> {
          if (made.isEmpty()) {
            made.add(functions(zip, wiring, logs));
          }
          return made.getFirst();
        };
    try (Loop loop = new Loop(DeployedService.of(once, Set.of(READ, EXECUTE)::contains))) {
      return List.of(new WebauthnBench(loop, made.getFirst(), without).figures());
    } finally {
      made.forEach(DeployedFunctions::close);
      Folders.delete(folder);
    }
  }

  private static DeployedFunctions functions(DeployedZip zip, Wiring wiring, Path logs) {
    try {
      return new DeployedFunctions(zip, wiring, OwnStack.SETTINGS, logs);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Figures figures() throws Exception {
    Figures figures =
        new Figures(
            "starts beside a zip without webauthn",
            "function",
            "start",
            "ready ms",
            "of without",
            "cpu until ready ms",
            "of without",
            "first ms",
            "of without",
            "cpu of first ms",
            "of without");
    for (String function : List.of(READ, EXECUTE)) {
      for (boolean snapshot : List.of(false, true)) {
        Measured as = new Measured();
        Measured lean = new Measured();
        for (int at = 0; at < STARTS; at++) {
          // Whatever the machine does beside it, each is first as often as the other.
          measure(function, snapshot, at % 2 == 0, at % 2 == 0 ? as : lean);
          measure(function, snapshot, at % 2 != 0, at % 2 != 0 ? as : lean);
        }
        row(figures, function, snapshot ? "before a snapshot" : "from nothing", as, lean);
      }
    }
    return figures.note(
        "The middle of %d starts of each, in turn: as the zip is, and its ratio to the same without webauthn4j and what only that uses."
            .formatted(STARTS));
  }

  private static void row(
      Figures figures, String function, String start, Measured as, Measured lean) {
    figures.row(
        function,
        start,
        middle(as.ready()),
        middle(as.ready()) / middle(lean.ready()),
        middle(as.readyProcessor()),
        middle(as.readyProcessor()) / middle(lean.readyProcessor()),
        middle(as.first()),
        middle(as.first()) / middle(lean.first()),
        middle(as.processor()),
        middle(as.processor()) / middle(lean.processor()));
  }

  private static double middle(List<Double> all) {
    return new Percentiles(all).at(50);
  }

  private void measure(String function, boolean snapshot, boolean whole, Measured measured)
      throws Exception {
    Image image = functions.image(function);
    if (!whole) {
      image = image.of(without, image.handler());
    }
    FunctionProcess process =
        functions.restart(
            snapshot ? image.withVariable("AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start") : image);
    measured.ready().add(millis(process.initialised()));
    Duration before = process.processorTime();
    measured.readyProcessor().add(millis(before));
    ask(function);
    measured.processor().add(millis(process.processorTime().minus(before)));
    measured.first().add(millis(answers(function).getFirst()));
    if (process.log().contains("Priming before the snapshot failed")) {
      throw new IllegalStateException(function + " was not primed: " + process.log());
    }
  }

  private void ask(String function) throws Exception {
    if (function.equals(READ)) {
      var unused = loop.get("/v1/plans/" + plan);
    } else {
      var unused = loop.awaitPlan(loop.ingestAllowed("e" + ++entities, "note"), "executed");
    }
    while (answers(function).isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    functions.awaitIdle(function);
  }

  private List<Duration> answers(String function) {
    Map<String, List<Duration>> all = functions.answers();
    return all.getOrDefault(function, List.of());
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
