package io.actiongovernance.localstack.bench;

import io.actiongovernance.localstack.Service;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Governed actions per second, unheld, from ingest to receipt, over few entities and over many;
 * beside the bare store and queue calls that they need, made in the same run by the same clients,
 * as many at once, from the event to the call: in both, one action at a time on an entity.
 */
final class LoopBench {
  /** Of a row: so many that what it begins and ends with is a small part of it. */
  private static final int ACTIONS = Integer.getInteger("governance.bench.actions", 600);

  private static final int AT_ONCE = 16;

  /**
   * Before it is compiled, code takes several times as long; plans that wait have code of theirs.
   */
  private static final int WARM_ROUNDS = 2;

  private static final List<Integer> ENTITIES =
      Arrays.stream(System.getProperty("governance.bench.entities", "1,8,32,150").split(","))
          .map(Integer::valueOf)
          .toList();

  private LoopBench() {}

  static List<Figures> run() throws Exception {
    Figures figures =
        new Figures(
            "governed actions", "entities", "per second", "floor per second", "of the floor");
    try (Loop loop = new Loop(Service.governance())) {
      BareCalls bare = new BareCalls(loop.store(), loop.sqs());
      for (int round = 0; round < WARM_ROUNDS; round++) {
        for (int entities : List.of(1, 150)) {
          governed(loop, "warm" + round, entities);
          floor(bare, entities);
        }
      }
      for (int entities : ENTITIES) {
        Duration before = Parallel.processorTime();
        long began = System.nanoTime();
        double governed = perSecond(() -> governed(loop, "e" + entities + "-", entities));
        double busy = busy(before, began);
        double floor = floor(bare, entities);
        figures.row(entities, governed, floor, governed / floor);
        figures.note(
            String.format(
                Locale.ROOT,
                "%d entities: the processors were %.0f %% busy with this process",
                entities,
                100 * busy));
      }
    }
    figures.note(
        "Bounds: an entity has one action in flight, each a round through two queues; then the "
            + "processors, which the store (one writer at a time), queues and functions share.");
    return List.of(figures);
  }

  private static double floor(BareCalls bare, int entities) throws Exception {
    List<Object> each = IntStream.range(0, entities).mapToObj(_ -> new Object()).toList();
    return perSecond(
        () -> Parallel.run(ACTIONS, AT_ONCE, at -> bare.governedAction(each.get(at % entities))));
  }

  private interface Act {
    void run() throws Exception;
  }

  private static double perSecond(Act act) throws Exception {
    long began = System.nanoTime();
    act.run();
    return ACTIONS * 1e9 / (System.nanoTime() - began);
  }

  private static double busy(Duration before, long began) {
    double used = Parallel.processorTime().minus(before).toNanos();
    return used / (System.nanoTime() - began) / Runtime.getRuntime().availableProcessors();
  }

  private static void governed(Loop loop, String name, int entities) throws Exception {
    long wanted = loop.applied() + ACTIONS;
    Parallel.run(
        ACTIONS,
        AT_ONCE,
        at -> {
          loop.ingestAllowed(name + at % entities, "note " + at);
          loop.awaitCall();
        });
    while (loop.applied() < wanted) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
