package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What an approval is bound to: the fingerprint of everything an action does and for whom
 * (contract, section 3).
 */
public final class ActionDigest {
  private ActionDigest() {}

  /** SHA-256 in lower-case hex of the action's canonical JSON. */
  public static String of(
      TenantId tenant,
      OperatorId operator,
      ConnectorId connector,
      String tool,
      JsonNode args,
      @Nullable BigDecimal value,
      String entityKey,
      String idempotencyKey) {
    ObjectNode action = Json.object();
    action.put("tenant_id", tenant.value());
    action.put("operator_id", operator.value());
    action.put("connector", connector.value());
    action.put("tool", tool);
    action.set("args", args);
    action.put("value", value);
    action.put("entity_key", entityKey);
    action.put("idempotency_key", idempotencyKey);
    return CanonicalJson.sha256(action);
  }
}
