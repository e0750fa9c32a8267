package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.ConnectorId;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** What guardrails judge: an action as proposed, and the tier of its tool. */
public record Candidate(
    ConnectorId connector,
    String tool,
    int tier,
    JsonNode args,
    @Nullable BigDecimal value,
    String entityKey) {}
