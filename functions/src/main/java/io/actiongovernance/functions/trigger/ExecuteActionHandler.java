package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.queue.ActionMessage;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.kernel.ExecuteAction;

/** Executes the actions that were dispatched: queue {@link Queue#ACTIONS}. */
public final class ExecuteActionHandler extends MessageHandler {
  private final ExecuteAction executeAction;

  public ExecuteActionHandler(Wiring wiring) {
    this.executeAction = wiring.loop().executeAction();
  }

  @Override
  protected Handled handle(JsonNode message) {
    executeAction.execute(ActionMessage.read(message));
    return Handled.DONE;
  }
}
