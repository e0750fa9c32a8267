package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An action as it would be called, which is the input of guardrails.
 *
 * @param read whether its tool only reads; the source system's word alone is not enough
 * @param at the instant at which it is judged
 */
public record Candidate(
    ConnectorId connector,
    String tool,
    int tier,
    boolean read,
    JsonNode args,
    Facts facts,
    Instant at) {

  /**
   * An action whose fields are all facts, because the tenant states them; a tool of tier 0 only
   * reads.
   */
  public Candidate(
      ConnectorId connector,
      String tool,
      int tier,
      JsonNode args,
      @Nullable BigDecimal value,
      EntityKey entityKey,
      Instant at) {
    this(connector, tool, tier, tier == 0, args, Facts.of(value, entityKey), at);
  }

  public @Nullable BigDecimal value() {
    return facts.value();
  }

  /** Returns the currency that conditions test, which may be an argument; null if there is none. */
  @Nullable String currency() {
    if (facts.currency() != null || !facts.currencyInArgs()) {
      return facts.currency();
    }
    JsonNode found = args.path("currency");
    return found.isTextual() ? found.textValue() : null;
  }

  public EntityKey entityKey() {
    return facts.entityKey();
  }

  /** Returns this action as it counts after a person approved it as shown. */
  public Candidate approved() {
    return new Candidate(connector, tool, tier, read, args, facts.approved(), at);
  }
}
