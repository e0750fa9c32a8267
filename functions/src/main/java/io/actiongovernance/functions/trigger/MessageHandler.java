package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the messages of a queue one by one, so that a message that fails is redelivered alone.
 * Stateless and thread-safe, as its subclasses are.
 */
public abstract class MessageHandler implements RequestHandler<SQSEvent, SQSBatchResponse> {
  private static final Logger LOG = LoggerFactory.getLogger(MessageHandler.class);

  public enum Handled {
    DONE,
    /** Redeliver the message after its visibility timeout. */
    LEAVE
  }

  /** Handles one message. If it throws an exception, the message is redelivered. */
  protected abstract Handled handle(JsonNode message);

  /**
   * Handles one message within the invocation's remaining time, which most handlers ignore.
   *
   * @param context states the remaining time; null if nothing limits it
   */
  protected Handled handle(JsonNode message, @Nullable Context context) {
    return handle(message);
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, @Nullable Context context) {
    List<SQSBatchResponse.BatchItemFailure> again = new ArrayList<>();
    for (SQSEvent.SQSMessage message : event.getRecords()) {
      if (attempt(message, context) == Handled.LEAVE) {
        again.add(new SQSBatchResponse.BatchItemFailure(message.getMessageId()));
      }
    }
    return new SQSBatchResponse(again);
  }

  private Handled attempt(SQSEvent.SQSMessage message, @Nullable Context context) {
    try (LogIds ids = LogIds.of(context).with("message_id", message.getMessageId())) {
      return handle(message, ids, context);
    }
  }

  private Handled handle(SQSEvent.SQSMessage message, LogIds ids, @Nullable Context context) {
    try {
      JsonNode body = Json.read(message.getBody());
      ids.with(Json.convert(body, Map.class));
      return handle(body, context);
    } catch (RuntimeException e) {
      // The queue counts the failures; its dead-letter function handles a message that fails too
      // often.
      LOG.atError()
          .setCause(e)
          .addKeyValue("message", message.getBody())
          .log("A message could not be handled");
      return Handled.LEAVE;
    }
  }
}
