package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.queue.ActionMessage;
import io.actiongovernance.kernel.ExecuteAction;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Handles messages of {@code Queue.ACTIONS}: executes dispatched actions. */
public final class ExecuteActionHandler extends MessageHandler {
  private final ExecuteAction executeAction;
  private final InstantSource clock;

  ExecuteActionHandler(ExecuteAction executeAction, InstantSource clock) {
    this.executeAction = executeAction;
    this.clock = clock;
  }

  @Override
  protected Handled handle(JsonNode message, @Nullable Context context) {
    if (context == null) {
      return handle(message);
    }
    executeAction.execute(
        ActionMessage.read(message),
        clock.instant().plusMillis(context.getRemainingTimeInMillis()));
    return Handled.DONE;
  }

  @Override
  protected Handled handle(JsonNode message) {
    executeAction.execute(ActionMessage.read(message));
    return Handled.DONE;
  }
}
