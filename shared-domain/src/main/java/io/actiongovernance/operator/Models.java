package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code model} of an operator (contract, section 4). {@code scripted} is the one
 * provider there is in this version; the others of the contract are refused by name rather than
 * stored and never run.
 */
final class Models {
  static final String SCRIPTED = "scripted";

  private Models() {}

  /** The model as it was sent, once its shape is checked; null if it was left out. */
  static @Nullable ObjectNode readOrNull(Fields body, String field) {
    Fields model = body.fieldsOrNull(field);
    if (model == null) {
      return null;
    }
    String provider = model.text("provider", 1, 100);
    switch (provider) {
      case SCRIPTED -> Script.read(model);
      case "bedrock", "openai_compatible" ->
          throw ApiException.invalid(
              model.param("provider"),
              "The provider " + provider + " is not available in this version; scripted is.");
      default ->
          throw ApiException.invalid(
              model.param("provider"),
              model.param("provider") + " must be scripted, bedrock or openai_compatible.");
    }
    return body.object(field).deepCopy();
  }
}
