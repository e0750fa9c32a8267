package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;

/**
 * A connector's {@code config} as it was sent. Only its listing determines how to read it
 * (contract, section 5). Not thread-safe.
 *
 * @param json the part that is stored
 */
public record UnreadConfig(ObjectNode json, Fields fields) {
  /** Reads a config, and checks only that it is an object. */
  public static UnreadConfig read(Fields parent, String field) {
    return new UnreadConfig(parent.object(field), parent.fields(field));
  }

  /** Returns the config that is used if none was sent. */
  static UnreadConfig empty() {
    ObjectNode empty = Json.object();
    return new UnreadConfig(empty, new Fields(empty, "config", true));
  }
}
