package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.allow;

import io.actiongovernance.functions.trigger.StateMachines;
import io.actiongovernance.time.TimerKind;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.CfnRole;
import software.amazon.awscdk.services.stepfunctions.CfnStateMachine;

/**
 * The state machines whose executions are timers. They have the same definitions as on the local
 * stack.
 */
final class TimerMachines {
  private TimerMachines() {}

  private static List<Map<String, Object>> statements(Environment environment, String functionArn) {
    Map<String, Object> invoke =
        allow("InvokeFunction", List.of("lambda:InvokeFunction"), List.of(functionArn));
    return environment.traced() ? List.of(invoke, Statements.trace()) : List.of(invoke);
  }

  /** Makes the state machine of the kind, and the role by which it invokes only its function. */
  static void make(Stack stack, Environment environment, TimerKind kind, String functionArn) {
    String name = kind.wireName(environment.prefix());
    String id = Names.logical(kind.wire());
    CfnRole role =
        CfnRole.Builder.create(stack, id + "MachineRole")
            .roleName(new Names(environment).role(kind.wire()))
            .assumeRolePolicyDocument(Statements.assumedBy("states.amazonaws.com"))
            .policies(
                List.of(
                    CfnRole.PolicyProperty.builder()
                        .policyName("needs")
                        .policyDocument(Statements.document(statements(environment, functionArn)))
                        .build()))
            .build();
    if (environment.traced()) {
      Inexact.TRACE.giveReason(role);
    }
    CfnStateMachine machine =
        CfnStateMachine.Builder.create(stack, id + "Machine")
            .stateMachineName(name)
            .stateMachineType("STANDARD")
            .definitionString(StateMachines.definition())
            .definitionSubstitutions(Map.of(StateMachines.FUNCTION, functionArn))
            .roleArn(role.getAttrArn())
            .tracingConfiguration(
                CfnStateMachine.TracingConfigurationProperty.builder()
                    .enabled(environment.traced())
                    .build())
            .build();
    giveReasons(machine, environment.traced());
  }

  /**
   * States the reason why a state machine has no log of its own, and if it is not traced, the
   * reason for that.
   */
  static void giveReasons(CfnStateMachine machine, boolean traced) {
    Reasons.give(
        machine,
        "AwsSolutions-SF1",
        "Step Functions itself keeps the history of each execution for 90 days.");
    if (!traced) {
      Reasons.give(machine, "AwsSolutions-SF2", "The environment is not traced.");
    }
  }
}
