package io.actiongovernance.localstack.states;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * How far an execution has come.
 *
 * @param name tells it from all others of its machine
 * @param input what it was started with
 * @param state the state it is in
 * @param data the input of that state
 */
record Execution(String name, JsonNode input, Instant startedAt, String state, JsonNode data) {
  Execution in(String next, JsonNode nextData) {
    return new Execution(name, input, startedAt, next, nextData);
  }
}
