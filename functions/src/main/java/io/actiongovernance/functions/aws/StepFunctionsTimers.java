package io.actiongovernance.functions.aws;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.time.Timer;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.time.Timers;
import io.actiongovernance.time.Timestamps;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;
import software.amazon.awssdk.services.sfn.model.ExecutionDoesNotExistException;

/**
 * Timers as executions of state machines, with one machine for each kind. An execution has its
 * timer's name, which Step Functions accepts only once in 90 days. Thread-safe.
 */
public final class StepFunctionsTimers implements Timers {
  private final SfnClient stepFunctions;
  private final String stateMachines;
  private final String prefix;

  /**
   * @param stateMachines the part of the state machines' ARNs before their names
   * @param prefix the prefix of their names
   */
  public StepFunctionsTimers(SfnClient stepFunctions, String stateMachines, String prefix) {
    this.stepFunctions = stepFunctions;
    this.stateMachines = stateMachines;
    this.prefix = prefix;
  }

  @Override
  public void start(Timer timer) {
    ObjectNode input = Json.object().put(Timer.WAIT_UNTIL, Timestamps.format(timer.due()));
    timer.ids().forEach(input::put);
    try {
      stepFunctions.startExecution(
          request ->
              request
                  .stateMachineArn(stateMachines + timer.kind().wireName(prefix))
                  .name(timer.name())
                  .input(Json.write(input)));
    } catch (ExecutionAlreadyExistsException e) {
      // Already started, by a duplicate message or by a process that died before it reported the
      // start.
    } catch (SdkException e) {
      throw new StoreUnavailable("Step Functions did not start the timer.", e);
    }
  }

  @Override
  public void stop(TimerKind kind, String name) {
    String executions = stateMachines.replace(":stateMachine:", ":execution:");
    try {
      stepFunctions.stopExecution(
          request -> request.executionArn(executions + kind.wireName(prefix) + ":" + name));
    } catch (ExecutionDoesNotExistException e) {
      // Never started: there is nothing to stop.
    } catch (SdkException e) {
      throw new StoreUnavailable("Step Functions did not stop the timer.", e);
    }
  }
}
