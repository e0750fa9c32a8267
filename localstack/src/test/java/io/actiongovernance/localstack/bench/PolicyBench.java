package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.Explanation;
import io.actiongovernance.policy.Guardrails;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One evaluation, and one explanation, of an action by sets of guardrails of several sizes, on one
 * thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PolicyBench {
  private static final int TOOLS = 20;

  /** How many guardrails the set has. */
  @Param({"10", "100", "1000"})
  public int guardrails;

  private Guardrails set = Guardrails.none();
  private Candidate candidate = candidate(0);

  /** Over twenty tools and their families, with conditions of every kind; few match. */
  @Setup
  public void makeGuardrails() {
    ObjectNode body = Json.object();
    ArrayNode list = body.putArray("guardrails");
    for (int number = 0; number < guardrails; number++) {
      ObjectNode guardrail =
          list.addObject()
              .put("name", "rule-" + number)
              .put("decision", number % 3 == 0 ? "ALLOW" : "ALERT")
              .put("priority", number)
              .put("tool", number % 10 == 9 ? "pay.*.create" : tool(number));
      ObjectNode conditions = guardrail.putObject("conditions");
      conditions.put("min_value", number).put("max_value", number + 1).put("entity_key", "order:*");
      conditions
          .putArray("args")
          .addObject()
          .put("path", "/currency")
          .put("op", "eq")
          .put("value", "usd");
    }
    set = Guardrails.read(new Fields(body, "", true), "guardrails");
    candidate = candidate(guardrails - 1);
  }

  private static String tool(int number) {
    return "pay.refund" + number % TOOLS + ".create";
  }

  private static Candidate candidate(int value) {
    return new Candidate(
        new ConnectorId("cn_00000000000000000000000000"),
        tool(value),
        2,
        Json.read("{\"currency\":\"usd\",\"amount\":\"12.50\"}"),
        new BigDecimal(value),
        new EntityKey("order:1042"),
        Instant.EPOCH);
  }

  /** The verdict of one action. */
  @Benchmark
  public Evaluation evaluate() {
    return set.evaluate(candidate);
  }

  /** The verdict of one action with its explanation. */
  @Benchmark
  public Explanation explain() {
    return set.explain(candidate);
  }

  static List<Figures> run() throws Exception {
    Figures evaluated =
        new Figures("policy evaluation", "guardrails", "nanoseconds", "bytes allocated");
    Figures explained =
        new Figures("policy explanation", "guardrails", "milliseconds", "bytes allocated");
    for (RunResult run :
        new Runner(
                new OptionsBuilder()
                    .include(PolicyBench.class.getName())
                    .addProfiler(GCProfiler.class)
                    .forks(1)
                    .warmupIterations(3)
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(5)
                    .measurementTime(TimeValue.seconds(1))
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run()) {
      Result<?> allocated =
          Objects.requireNonNull(run.getSecondaryResults().get("gc.alloc.rate.norm"));
      String guardrails = run.getParams().getParam("guardrails");
      double nanoseconds = run.getPrimaryResult().getScore();
      if (run.getParams().getBenchmark().endsWith(".explain")) {
        explained.row(guardrails, nanoseconds / 1_000_000, allocated.getScore());
      } else {
        evaluated.row(guardrails, nanoseconds, allocated.getScore());
      }
    }
    return List.of(
        evaluated.note("A set has at most " + Guardrails.MAX_GUARDRAILS + "."),
        explained.note("The goal for 1,000 guardrails is 20 milliseconds."));
  }
}
