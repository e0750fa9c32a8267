package io.actiongovernance.localstack.bench;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code localstack/bench [name…]}: runs what takes minutes at most, or what is named. */
public final class Main {
  private static final Set<String> ONLY_WHEN_NAMED = Set.of("memory", "console");
  private static final Logger LOG = LoggerFactory.getLogger(Main.class);

  private Main() {}

  private interface Bench {
    List<Figures> run() throws Exception;
  }

  private static Map<String, Bench> benches() {
    Map<String, Bench> benches = new LinkedHashMap<>();
    benches.put("requests", RequestsBench::run);
    benches.put("hotspots", HotspotsBench::run);
    benches.put("loop", LoopBench::run);
    benches.put("approve", ApproveBench::run);
    benches.put("gateway", GatewayBench::run);
    benches.put("policy", PolicyBench::run);
    benches.put("deliveries", DeliveriesBench::run);
    benches.put("streams", StreamsBench::run);
    benches.put("routes", RoutesBench::run);
    benches.put("lists", ListsBench::run);
    benches.put("analyze", AnalyzeBench::run);
    benches.put("console", ConsoleBench::run);
    benches.put("cold", ColdBench::run);
    benches.put("cost", CostBench::run);
    benches.put("rest", AtRestBench::run);
    benches.put("memory", MemoryBench::run);
    return benches;
  }

  public static void main(String[] arguments) {
    int status = 1;
    try {
      status = run(arguments);
    } catch (Exception e) {
      LOG.error("A bench failed", e);
    }
    System.exit(status); // Servers that were stopped may leave threads behind.
  }

  private static int run(String[] arguments) throws Exception {
    Path folder = Path.of(System.getProperty("governance.bench.results", "target/bench"));
    Map<String, Bench> benches = benches();
    List<String> wanted =
        arguments.length == 0
            ? benches.keySet().stream().filter(name -> !ONLY_WHEN_NAMED.contains(name)).toList()
            : List.of(arguments);
    for (String name : wanted) {
      Bench bench = benches.get(name);
      if (bench == null) {
        System.err.println("error: There is no bench " + name + "; there are " + benches.keySet());
        return 2;
      }
      for (Figures figures : bench.run()) {
        figures.print(System.out);
        figures.write(folder);
      }
    }
    return 0;
  }
}
