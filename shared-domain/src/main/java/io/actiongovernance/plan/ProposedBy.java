package io.actiongovernance.plan;

import org.jspecify.annotations.Nullable;

/**
 * Who proposed a plan.
 *
 * @param provider of the operator's model, or {@link #AGENT}
 * @param exchange with the model; null where there was none to ask
 */
public record ProposedBy(String provider, @Nullable ModelExchange exchange) {
  /** The provider of what an outside agent proposes. */
  public static final String AGENT = "agent";

  /** An outside agent. */
  public static ProposedBy agent() {
    return new ProposedBy(AGENT, null);
  }

  /** The digest of the exchange, or null where there was none. */
  public @Nullable String digest() {
    return exchange == null ? null : exchange.digest();
  }
}
