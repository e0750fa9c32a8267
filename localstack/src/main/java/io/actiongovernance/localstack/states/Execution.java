package io.actiongovernance.localstack.states;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * An execution that waits until it is due.
 *
 * @param name unique in its machine
 * @param data the input, with the last answer and the next time to wait until
 */
record Execution(String name, JsonNode input, Instant startedAt, JsonNode data) {
  Execution with(JsonNode nextData) {
    return new Execution(name, input, startedAt, nextData);
  }
}
