package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.queue.ActionMessage;
import io.actiongovernance.kernel.ExecuteAction;

/** Handles the dead letters of {@code Queue.ACTIONS}: actions whose messages failed too often. */
public final class GiveUpActionHandler extends MessageHandler {
  private final ExecuteAction executeAction;

  GiveUpActionHandler(ExecuteAction executeAction) {
    this.executeAction = executeAction;
  }

  @Override
  protected Handled handle(JsonNode message) {
    executeAction.giveUp(ActionMessage.read(message));
    return Handled.DONE;
  }
}
