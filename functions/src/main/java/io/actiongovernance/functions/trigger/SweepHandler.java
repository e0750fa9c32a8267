package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.kernel.Sweep;
import java.util.Map;

/** Redoes whatever step is overdue, every minute. */
public final class SweepHandler implements RequestHandler<Map<String, Object>, Integer> {
  private final Sweep sweep;

  /** For the Lambda runtime. */
  public SweepHandler() {
    this(Wiring.onAws());
  }

  public SweepHandler(Wiring wiring) {
    this.sweep = wiring.loop().sweep();
  }

  @Override
  public Integer handleRequest(Map<String, Object> event, Context context) {
    return sweep.sweep();
  }
}
