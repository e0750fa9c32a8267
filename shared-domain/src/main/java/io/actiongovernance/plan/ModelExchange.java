package io.actiongovernance.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Request to a model and its response, kept for audit (contract, section 4). Immutable if the JSON
 * that it holds is not changed.
 *
 * @param provider as the operator's {@code model} names it
 * @param model the provider's name for the model
 * @param request as sent, without credentials
 * @param response as received, or JSON null if none came
 */
public record ModelExchange(
    String provider, @Nullable String model, JsonNode request, JsonNode response) {

  /** Returns the SHA-256, in hex, of the canonical JSON of all four. */
  public String digest() {
    ObjectNode whole = Json.object().put("provider", provider).put("model", model);
    whole.set("request", request);
    whole.set("response", response);
    return CanonicalJson.sha256(whole);
  }
}
