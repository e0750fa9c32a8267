package io.actiongovernance.infra;

import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/** The dashboard and the alarms. It refers to what it watches, and nothing depends on it. */
final class ObservabilityStack extends Stack {
  ObservabilityStack(Construct scope, Environment environment) {
    super(
        scope,
        environment.prefix() + "-observability",
        environment.stack().description("Action Governance Service: dashboard and alarms").build());
    Dashboard.make(this, environment);
    if (environment.alarms()) {
      new Alarms(this, environment);
    }
  }
}
