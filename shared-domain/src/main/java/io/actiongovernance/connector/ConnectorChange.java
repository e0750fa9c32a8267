package io.actiongovernance.connector;

import io.actiongovernance.json.Fields;
import org.jspecify.annotations.Nullable;

/**
 * What a request changes of a connector, as far as it can be read before it is known which one:
 * config and credentials are read against its listing (contract, section 5).
 *
 * @param name the new one, or null
 * @param reconfigures whether {@code config} is given
 * @param credentials the new ones, or null
 */
public record ConnectorChange(
    Fields body, @Nullable String name, boolean reconfigures, @Nullable Fields credentials) {

  /** Reads the body of {@code PATCH /v1/connectors/{connector_id}}. */
  public static ConnectorChange read(Fields body) {
    ConnectorChange change =
        new ConnectorChange(
            body, body.slugOrNull("name"), body.has("config"), body.fieldsOrNull("credentials"));
    body.done();
    return change;
  }
}
