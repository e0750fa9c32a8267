package io.actiongovernance.infra;

import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/** What people look at, and what calls them. It names what it watches, and nothing needs it. */
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
