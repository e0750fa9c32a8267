package io.actiongovernance.identity;

import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;
import java.util.Optional;

/**
 * Tells the provider whose issuer gives agents access tokens for an operator: that of the
 * operator's tenant and mode, who are told by the operator alone, since nothing is believed of
 * whoever has not shown who they are. Thread-safe.
 */
public final class AgentIssuers {
  private final Operators operators;
  private final IdentityProviders providers;

  public AgentIssuers(Operators operators, IdentityProviders providers) {
    this.operators = operators;
    this.providers = providers;
  }

  /** The one for this operator; empty where its tenant has none in its mode. */
  public Optional<IdentityProvider> of(OperatorId operator) {
    return operators.home(operator).flatMap(providers::of);
  }
}
