package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;

/**
 * Fingerprint to which an approval is bound: what an action does and for whom (contract, section
 * 3).
 */
public final class ActionDigest {
  private ActionDigest() {}

  /** Returns the SHA-256 of the action's canonical JSON, in lower-case hex. */
  public static String of(
      TenantId tenant,
      OperatorId operator,
      ConnectorId connector,
      String tool,
      String toolDigest,
      JsonNode args,
      Facts facts,
      String idempotencyKey) {
    ObjectNode action = effect(connector, tool, args, facts);
    action.put("tenant_id", tenant.value());
    action.put("operator_id", operator.value());
    action.put("tool_digest", toolDigest);
    action.put("idempotency_key", idempotencyKey);
    return CanonicalJson.sha256(action);
  }

  /**
   * Returns the digest of the effect that an idempotency key stands for. It does not depend on the
   * caller or on later changes to the tool (contract, section 2).
   */
  public static String ofEffect(ConnectorId connector, String tool, JsonNode args, Facts facts) {
    return CanonicalJson.sha256(effect(connector, tool, args, facts));
  }

  private static ObjectNode effect(ConnectorId connector, String tool, JsonNode args, Facts facts) {
    ObjectNode effect = Json.object();
    effect.put("connector", connector.value());
    effect.put("tool", tool);
    effect.set("args", args);
    effect.put("value", facts.value());
    effect.put("currency", facts.currency());
    effect.put("entity_key", facts.entityKey().value());
    return effect;
  }
}
