package io.actiongovernance.functions.telemetry;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The service's own metrics, as lines in CloudWatch's embedded metric format. CloudWatch reads them
 * from the log, so this service makes no request for them. Each line is one value of one metric.
 * Thread-safe if the consumer of lines is.
 */
public final class Metrics {
  /** The namespace of all deployments' metrics in an account. */
  public static final String NAMESPACE = "ActionGovernance";

  /** The dimension of every metric: the prefix of the deployment's names. */
  public static final String DEPLOYMENT = "deployment";

  /** The dimension of metrics that count outcomes. */
  public static final String OUTCOME = "outcome";

  private final String deployment;
  private final InstantSource clock;
  private final Consumer<String> lines;

  /**
   * @param deployment the prefix of the deployment's names
   * @param lines receives each line
   */
  public Metrics(String deployment, InstantSource clock, Consumer<String> lines) {
    this.deployment = deployment;
    this.clock = clock;
    this.lines = lines;
  }

  public enum Metric {
    /** Receipts of actions written, by outcome. */
    ACTIONS("Actions"),
    /** Webhook deliveries that ended, by status. */
    DELIVERIES("Deliveries"),
    /**
     * Steps that a sweep found due. Each should have happened without the sweep, or checks that
     * such a step has.
     */
    OVERDUE("Overdue"),
    /** Plans that a sweep found executing for too long. */
    STUCK_PLANS("StuckPlans"),
    /** Seconds for which the oldest due step has been due. */
    OLDEST_DUE("OldestDueSeconds"),
    /** Runs of the canary, by outcome. */
    CANARY("Canary"),
    /** Proposals that were put off to a later hour, because this hour's model calls are used up. */
    MODEL_CALLS_PUT_OFF("ModelCallsPutOff");

    private final String wire;

    Metric(String wire) {
      this.wire = wire;
    }

    private String unit() {
      return this == OLDEST_DUE ? "Seconds" : "Count";
    }

    public String wire() {
      return wire;
    }
  }

  /** Metrics on the standard output, which Lambda logs. */
  @SuppressWarnings("SystemOut") // CloudWatch needs the bare line, without a logger's frame.
  public static Metrics logged(String deployment, InstantSource clock) {
    return new Metrics(deployment, clock, line -> System.out.println(line));
  }

  /** Discards all metrics. */
  public static Metrics none() {
    return new Metrics("", InstantSource.system(), line -> {});
  }

  /** Records a value, which may be zero, of a metric without an outcome. */
  public void count(Metric metric, long value) {
    line(metric, null, value);
  }

  /** Records a value of a metric for an outcome. */
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
