package io.actiongovernance.plan;

import org.jspecify.annotations.Nullable;

/**
 * What wrote a proposal for who proposed it: the script or the model of an operator, or an outside
 * agent.
 *
 * @param provider of the operator's model, or {@link #AGENT}
 * @param exchange with the model; null where there was none to ask
 */
public record DraftedBy(String provider, @Nullable ModelExchange exchange) {
  /** The provider of what an outside agent proposes. */
  public static final String AGENT = "agent";

  /** An outside agent. */
  public static DraftedBy agent() {
    return new DraftedBy(AGENT, null);
  }

  /** The digest of the exchange, or null where there was none. */
  public @Nullable String digest() {
    return exchange == null ? null : exchange.digest();
  }
}
