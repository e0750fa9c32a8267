package io.actiongovernance.plan;

import org.jspecify.annotations.Nullable;

/**
 * Author of a proposal on behalf of its proposer: the script or the model of an operator, or an
 * outside agent.
 *
 * @param provider the provider of the operator's model, or {@link #AGENT}
 * @param exchange the exchange with the model; null if no model was asked
 */
public record DraftedBy(String provider, @Nullable ModelExchange exchange) {
  /** Provider for proposals by an outside agent. */
  public static final String AGENT = "agent";

  public static DraftedBy agent() {
    return new DraftedBy(AGENT, null);
  }

  /** Returns the digest of the exchange, or null if no model was asked. */
  public @Nullable String digest() {
    return exchange == null ? null : exchange.digest();
  }
}
