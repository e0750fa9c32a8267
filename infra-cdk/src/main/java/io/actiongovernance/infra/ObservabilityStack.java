package io.actiongovernance.infra;

import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/** The dashboard and the alarms. They refer to what they watch, and nothing depends on them. */
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
