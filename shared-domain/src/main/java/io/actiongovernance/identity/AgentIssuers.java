package io.actiongovernance.identity;

import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;
import java.util.Optional;

/**
 * Finds the provider whose issuer gives agents access tokens for an operator. Only the operator
 * determines tenant and mode, because an agent that has not proved its identity is not believed.
 * Thread-safe.
 */
public final class AgentIssuers {
  private final Operators operators;
  private final IdentityProviders providers;

  public AgentIssuers(Operators operators, IdentityProviders providers) {
    this.operators = operators;
    this.providers = providers;
  }

  /** Returns the operator's provider; empty if its tenant has no provider in its mode. */
  public Optional<IdentityProvider> of(OperatorId operator) {
    return operators.home(operator).flatMap(providers::of);
  }
}
