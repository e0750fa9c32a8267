package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.proposer.RunDueOperators;
import java.util.Map;

/** Has the operators whose schedule is due propose, every minute. */
public final class RunDueOperatorsHandler implements RequestHandler<Map<String, Object>, Integer> {
  private final RunDueOperators runDueOperators;

  public RunDueOperatorsHandler(Wiring wiring) {
    this.runDueOperators = wiring.runDueOperators();
  }

  @Override
  public Integer handleRequest(Map<String, Object> event, Context context) {
    try (LogIds _ = LogIds.of(context)) {
      return runDueOperators.run();
    }
  }
}
