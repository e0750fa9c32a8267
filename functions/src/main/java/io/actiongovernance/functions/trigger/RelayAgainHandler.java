package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.json.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Handles messages of {@link Queue#FAILED_CHANGES}: reads changes that were given up from the
 * bucket of {@link FailedChanges}, and relays them again. A change that fails again is retried
 * every fifteen minutes for a day, and then stays in the dead letters.
 */
public final class RelayAgainHandler extends MessageHandler {
  /** The name of its function, which it gives to {@link FailedChanges} to read the bucket. */
  static final String NAME = "relay-again";

  private static final Logger LOG = LoggerFactory.getLogger(RelayAgainHandler.class);

  private final RelayFacts facts;
  private final RelayOutcomes outcomes;
  private final Supplier<ExportSpans> spans;
  private final FailedChanges changes;

  /**
   * @param spans created only when a span is relayed again, because not every deployment has an
   *     exporter
   */
  RelayAgainHandler(
      RelayFacts facts,
      RelayOutcomes outcomes,
      Supplier<ExportSpans> spans,
      FailedChanges changes) {
    this.facts = facts;
    this.outcomes = outcomes;
    this.spans = spans;
    this.changes = changes;
  }

  @Override
  protected Handled handle(JsonNode message) {
    if (message.path("Event").asText().equals("s3:TestEvent")) {
      return Handled.DONE; // S3 sends this when the bucket is created.
    }
    JsonNode notes = message.path("Records");
    if (notes.isEmpty()) {
      throw new IllegalArgumentException("The message names no record of a change.");
    }
    Handled handled = Handled.DONE;
    for (JsonNode note : notes) {
      String key = note.at("/s3/object/key").textValue();
      if (!relay(URLDecoder.decode(key, StandardCharsets.UTF_8))) {
        handled = Handled.LEAVE;
      }
    }
    return handled;
  }

  /** Relays the changes in the object; returns whether all of them were relayed. */
  private boolean relay(String key) {
    JsonNode record = Json.read(changes.read(key));
    String relay = record.at("/requestContext/functionArn").textValue();
    DynamodbEvent again = changes(record.path("payload"));
    StreamsEventResponse answer;
    if (relay.contains(RelayOutcomes.NAME)) {
      answer = outcomes.again(again);
    } else if (relay.contains(Trigger.EXPORT_SPANS.binding().function())) {
      answer = spans.get().handleRequest(again, null);
    } else {
      answer = facts.again(again);
    }
    int failed = answer.getBatchItemFailures().size();
    LOG.atLevel(failed == 0 ? Level.INFO : Level.ERROR)
        .addKeyValue("object", key)
        .addKeyValue("failed", failed)
        .log("Changes that had been given up were relayed again");
    return failed == 0;
  }

  /** Reads the changes in a payload. Lambda stores a function's payload as text. */
  private static DynamodbEvent changes(JsonNode payload) {
    return ChangeRecords.read(payload.isTextual() ? Json.read(payload.textValue()) : payload);
  }
}
