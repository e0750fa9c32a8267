package io.actiongovernance.localstack.bench;

import io.actiongovernance.functions.billing.AllowanceRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.Meter.Use;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads and writes by partition key, for a tenant that is {@link AtQuota}, and how many actions a
 * second each key could serve. Everything that the functions ask for is counted, relays and sweeps
 * too, but not the requests by which this bench looks on. {@code -Dgovernance.bench.actions} says
 * how many actions, half of them unheld and half held, each on an entity of its own; {@code
 * -Dgovernance.bench.spread} over how many items the tenant is spread.
 */
final class HotspotsBench {
  private static final int ACTIONS = Integer.getInteger("governance.bench.actions", 400) / 2;
  private static final int SPREAD = Integer.getInteger("governance.bench.spread", 1);
  private static final int WARM = 20;
  private static final int AT_ONCE = 16;

  private static final Set<String> LOOKING_ON =
      Stream.of(PlanRoutes.LIST_PLANS, AllowanceRoutes.RETRIEVE_ALLOWANCE)
          .map(route -> route.operation())
          .collect(Collectors.toSet());

  private final Meter meter;
  private final Loop loop;
  private final SingleActions actions;

  private HotspotsBench(Meter meter, Loop loop) {
    this.meter = meter;
    this.loop = loop;
    this.actions = new SingleActions(loop, () -> (int) counted(not(SingleActions.STEADY)).count());
  }

  static List<Figures> run() throws Exception {
    Meter meter = new Meter();
    try (Loop loop = new Loop(PerFunction.service(meter))) {
      HotspotsBench bench = new HotspotsBench(meter, loop);
      new AtQuota(loop).fill(SPREAD);
      bench.actions.warm();
      bench.held("warm", WARM);
      HotKeys unheld = bench.measured(() -> bench.unheld("unheld", ACTIONS));
      HotKeys held = bench.measured(() -> bench.held("held", ACTIONS));
      return List.of(
          unheld.figures("units by key of an unheld action"),
          held.figures("units by key of a held action")
              .note(
                  "Units are those of one action. A key serves 1,000 write units and 3,000 read"
                      + " units a second. *: an id, a hash, a time, a number.")
              .note(
                  "Refused: taken in vain, by conditions that did not hold or contention; not among"
                      + " the rest, since it depends on how many actions run at once here.")
              .note(
                  "If even: if all shards of what is spread were as hot; of few actions, the hottest"
                      + " is so by chance.")
              .note(
                  "Ceilings, actions a second, unheld / held: a tenant %d / %d, the deployment %d / %d; if even, %d / %d and %d / %d."
                      .formatted(
                          unheld.ceiling(true),
                          held.ceiling(true),
                          unheld.ceiling(false),
                          held.ceiling(false),
                          unheld.evenCeiling(true),
                          held.evenCeiling(true),
                          unheld.evenCeiling(false),
                          held.evenCeiling(false))));
    }
  }

  private interface Act {
    void run() throws Exception;
  }

  private HotKeys measured(Act act) throws Exception {
    meter.reset();
    act.run();
    return new HotKeys(counted(_ -> true).flatMap(use -> use.units().stream()).toList(), ACTIONS);
  }

  private Stream<Use> counted(Predicate<Use> which) {
    return meter.uses().stream().filter(not(LOOKING_ON)).filter(which);
  }

  private static Predicate<Use> not(Set<String> functions) {
    return use -> !functions.contains(use.function());
  }

  private void unheld(String name, int times) throws Exception {
    long wanted = loop.applied() + times;
    Parallel.run(times, AT_ONCE, at -> loop.ingestAllowed(name + "-u" + at, "note " + at));
    await(wanted);
  }

  private void held(String name, int times) throws Exception {
    long wanted = loop.applied() + times;
    Parallel.run(times, AT_ONCE, at -> loop.ingestHeld(name + "-h" + at, "note " + at));
    List<String> plans = proposed();
    while (plans.size() < times) {
      pause();
      plans = proposed();
    }
    actions.awaitQuiet();
    List<String> all = plans;
    Parallel.run(times, AT_ONCE, at -> loop.post("/v1/plans/" + all.get(at) + "/approve", "{}"));
    await(wanted);
  }

  private List<String> proposed() throws Exception {
    return loop.tenant().ids("/v1/plans?status=proposed&limit=100");
  }

  private void await(long applied) throws Exception {
    while (loop.applied() < applied) {
      pause();
    }
    actions.awaitQuiet();
  }

  private static void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(200);
  }
}
