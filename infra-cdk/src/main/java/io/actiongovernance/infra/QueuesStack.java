package io.actiongovernance.infra;

import software.amazon.awscdk.Stack;
import software.constructs.Construct;

final class QueuesStack extends Stack {
  private final Queues queues;

  QueuesStack(Construct scope, Environment environment) {
    super(
        scope,
        environment.prefix() + "-queues",
        environment.stack().description("Action Governance Service: queues").build());
    this.queues = new Queues(this, environment);
  }

  Queues queues() {
    return queues;
  }
}
