package io.actiongovernance.functions.canary;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The function that runs the {@link Canary} every minute and counts its outcome: {@code ok}, {@code
 * failed}, or {@code keyless} until it has a key. A failed run does not fail the function, so
 * Lambda does not retry it before the next minute. Not thread-safe.
 */
public final class CanaryFunction
    implements RequestHandler<Map<String, Object>, Map<String, Object>> {
  /** The setting that names the secret with the canary's key. */
  public static final String SECRET = "GOVERNANCE_CANARY_KEY_SECRET";

  /** The prefix of a live key; the secret's initial value lacks it. */
  private static final String KEY = "sk_live_";

  private static final Logger LOG = LoggerFactory.getLogger(CanaryFunction.class);

  private final Supplier<String> key;
  private final Function<String, Canary> canaries;
  private final Metrics metrics;

  private @Nullable String known;
  private @Nullable Canary canary;

  /**
   * @param key reads the key for each run, so that a new key takes effect within a minute
   * @param canaries makes a canary with a key
   */
  public CanaryFunction(Supplier<String> key, Function<String, Canary> canaries, Metrics metrics) {
    this.key = key;
    this.canaries = canaries;
    this.metrics = metrics;
  }

  @Override
  public Map<String, Object> handleRequest(Map<String, Object> event, @Nullable Context context) {
    try (LogIds _ = LogIds.of(context)) {
      String outcome = outcome(key.get().strip());
      metrics.count(Metric.CANARY, outcome, 1);
      return Map.of("outcome", outcome);
    }
  }

  private String outcome(String now) {
    if (!now.startsWith(KEY)) {
      LOG.error("The secret of the canary holds no key of a tenant yet");
      return "keyless";
    }
    Canary flying = canary;
    if (flying == null || !now.equals(known)) {
      flying = canaries.apply(now);
      canary = flying;
      known = now;
    }
    try {
      LOG.atInfo().addKeyValue("receipt", flying.fly()).log("An action was governed");
      return "ok";
    } catch (Canary.Failed e) {
      LOG.error("No action was governed from end to end: {}", e.getMessage());
      return "failed";
    }
  }
}
