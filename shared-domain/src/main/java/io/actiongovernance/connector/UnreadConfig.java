package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;

/**
 * A connector's {@code config} as it was sent. How it is read, its listing says (contract, section
 * 5), which is not known from the config alone. Not thread-safe.
 *
 * @param json what is kept of it
 * @param fields to read it by
 */
public record UnreadConfig(ObjectNode json, Fields fields) {
  /** Reads no more than that it is an object. */
  public static UnreadConfig read(Fields parent, String field) {
    return new UnreadConfig(parent.object(field), parent.fields(field));
  }

  /** What stands for a config that is left out. */
  static UnreadConfig empty() {
    ObjectNode empty = Json.object();
    return new UnreadConfig(empty, new Fields(empty, "config", true));
  }
}
