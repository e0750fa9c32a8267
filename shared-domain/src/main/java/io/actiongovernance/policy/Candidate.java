package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * An action as it would be called, which is what guardrails evaluate.
 *
 * @param tier of its tool
 * @param read whether its tool only reads, by more than the word of its source system
 */
public record Candidate(
    ConnectorId connector, String tool, int tier, boolean read, JsonNode args, Facts facts) {

  /** An action whose fields are the tenant's word; one of tier 0 only reads. */
  public Candidate(
      ConnectorId connector,
      String tool,
      int tier,
      JsonNode args,
      @Nullable BigDecimal value,
      EntityKey entityKey) {
    this(connector, tool, tier, tier == 0, args, Facts.of(value, entityKey));
  }

  public @Nullable BigDecimal value() {
    return facts.value();
  }

  public EntityKey entityKey() {
    return facts.entityKey();
  }

  /** The same once a person has approved it as it was shown. */
  public Candidate approved() {
    return new Candidate(connector, tool, tier, read, args, facts.approved());
  }
}
