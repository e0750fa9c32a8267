package io.actiongovernance.functions.telemetry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The service's own metrics, as lines in CloudWatch's embedded metric format: CloudWatch reads them
 * out of the log, at no request of ours. Each line is one value of one metric. Thread-safe if what
 * takes the lines is.
 */
public final class Metrics {
  /** Holds the metrics of all deployments of an account. */
  public static final String NAMESPACE = "ActionGovernance";

  /** The dimension that every metric has: the prefix of the deployment's names. */
  public static final String DEPLOYMENT = "deployment";

  /** The dimension of those that count by how something ended. */
  public static final String OUTCOME = "outcome";

  private final String deployment;
  private final InstantSource clock;
  private final Consumer<String> lines;

  /**
   * @param deployment the prefix of its names
   * @param lines takes each line
   */
  public Metrics(String deployment, InstantSource clock, Consumer<String> lines) {
    this.deployment = deployment;
    this.clock = clock;
    this.lines = lines;
  }

  /** What there is to be counted. */
  public enum Metric {
    /** Receipts written, by outcome: what became of actions. */
    ACTIONS("Actions"),
    /** Webhook deliveries that ended, by status. */
    DELIVERIES("Deliveries"),
    /** What a sweep found due: a step that should have been taken by itself, or a check of it. */
    OVERDUE("Overdue"),
    /** Plans that a sweep found executing for longer than any should. */
    STUCK_PLANS("StuckPlans"),
    /** For how many seconds what has waited longest to be looked at has been due. */
    OLDEST_DUE("OldestDueSeconds"),
    /** Whether an action was governed from end to end, by outcome. */
    CANARY("Canary"),
    /** Proposals that wait for a later hour: the calls of models of this one are used up. */
    MODEL_CALLS_PUT_OFF("ModelCallsPutOff");

    private final String wire;

    Metric(String wire) {
      this.wire = wire;
    }

    private String unit() {
      return this == OLDEST_DUE ? "Seconds" : "Count";
    }

    /** The name in CloudWatch. */
    public String wire() {
      return wire;
    }
  }

  /** To the standard output, which Lambda logs. */
  @SuppressWarnings("SystemOut") // CloudWatch takes a line as it is: no logger's frame around it.
  public static Metrics logged(String deployment, InstantSource clock) {
    return new Metrics(deployment, clock, line -> System.out.println(line));
  }

  /** To nowhere. */
  public static Metrics none() {
    return new Metrics("", InstantSource.system(), line -> {});
  }

  /** A value of a metric without an outcome; zero is one. */
  public void count(Metric metric, long value) {
    line(metric, null, value);
  }

  /** A value of a metric for an outcome. */
  public void count(Metric metric, String outcome, long value) {
    line(metric, outcome, value);
  }

  private void line(Metric metric, @Nullable String outcome, long value) {
    ObjectNode line = Json.object();
    ObjectNode aws = line.putObject("_aws").put("Timestamp", clock.millis());
    ObjectNode directive = aws.putArray("CloudWatchMetrics").addObject();
    directive.put("Namespace", NAMESPACE);
    ArrayNode dimensions = directive.putArray("Dimensions").addArray().add(DEPLOYMENT);
    directive.putArray("Metrics").addObject().put("Name", metric.wire()).put("Unit", metric.unit());
    line.put(DEPLOYMENT, deployment);
    if (outcome != null) {
      dimensions.add(OUTCOME);
      line.put(OUTCOME, outcome);
    }
    lines.accept(Json.write(line.put(metric.wire(), value)));
  }
}
